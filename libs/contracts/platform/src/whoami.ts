import { Field, rules } from '@plat/contracts/fields';

/** The caller as the service sees it. Rule E6. */
export class Whoami {
  @Field(rules.id, { description: "The caller's tenant" })
  tenantId!: string;

  @Field(rules.id, { description: "The caller's platform user id" })
  userId!: string;

  @Field(rules.filterText(255), { description: 'Name within the tenant' })
  username!: string;

  @Field(rules.texts, { description: 'Names of the roles held' })
  roles!: string[];

  @Field(rules.filterText(2048), { description: 'The OIDC issuer' })
  issuer!: string;

  @Field(rules.filterText(255), { description: 'The subject that the identity provider presented' })
  subject!: string;
}
