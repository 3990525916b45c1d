import { Args, Flags } from '../terminal/oclif';

/** The names of an exposed environment, of which none has a default. Rule H2. */
export const exposedArgs = {
  tenant: Args.string({ description: 'Its tenant', required: true, ignoreStdin: true }),
  environment: Args.string({ description: 'Its name', required: true, ignoreStdin: true }),
};

/** The flags of both commands. Spec: Client, plat expose; Spec: Client, plat unexpose. */
export const exposureFlags = {
  'skip-if-unconfigured': Flags.boolean({
    description: 'Succeed and do nothing if the project has no platform block',
  }),
  'services-zone': Flags.string({
    description: 'Zone of the public names, in place of the configured one; with --platform-namespace',
    helpValue: '<zone>',
  }),
  'platform-namespace': Flags.string({
    description: 'Namespace of the DNS deployment, in place of platform.env; with --services-zone',
    helpValue: '<namespace>',
  }),
  'dry-run': Flags.boolean({ description: 'Print the commands and the names; touch nothing' }),
};

/** The flags of `plat expose` for a certificate. Spec: Client, TLS rules. */
export const tlsFlags = {
  'no-tls': Flags.boolean({ description: 'Plain http: an ingress without a tls block' }),
  'dns01-token-file': Flags.string({
    description: "File with the environment's token for the DNS-01 broker, which only you may read",
    helpValue: '<path>',
  }),
  'dns01-broker-url': Flags.string({ description: 'Address of the DNS-01 broker', helpValue: '<url>' }),
  'acme-email': Flags.string({ description: 'E-mail address of the ACME account', helpValue: '<address>' }),
  'acme-server': Flags.string({
    description: 'Directory of the ACME server (default: the production server)',
    helpValue: '<url>',
  }),
  'dns01-webhook-group-name': Flags.string({
    description: "API group of the broker's webhook in the cluster (default acme.plat.internal)",
    helpValue: '<group>',
  }),
};
