import { Field, rules } from '@plat/contracts/fields';

/** The address to which an environment's public names lead. Rule E4. */
export class Hostname {
  @Field(rules.filterText(253), {
    description: 'The wildcard name that the record has; a service is public as <service> in place of *',
    example: '*.acme-dev.services.example',
  })
  hostname!: string;

  @Field(rules.ipv4, { description: 'The address it leads to', example: '192.0.2.1' })
  targetIp!: string;
}

/** Body of PUT /v1/environments/{environment_id}/hostname. */
export class PutHostname {
  @Field(rules.ingressAddress, {
    description:
      "The IPv4 address of the environment's ingress; not a loopback, link-local, unspecified, multicast or reserved one",
    example: '192.0.2.1',
  })
  targetIp!: string;
}
