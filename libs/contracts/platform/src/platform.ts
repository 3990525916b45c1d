import { Field, rules } from '@plat/contracts/fields';

const word = rules.filterText(2048);

/** The settings that a client needs before it signs in; every field is "" when unset. Rule E5. */
export class Platform {
  @Field(word, { description: 'OIDC issuer to sign in with' })
  issuer!: string;

  @Field(word, { description: 'Base address of this API; also the audience of its tokens' })
  apiUrl!: string;

  @Field(word, { description: 'Address of the console' })
  consoleUrl!: string;

  @Field(word, { description: "The command-line client's id at the issuer" })
  cliClientId!: string;

  @Field(word, { description: "The console's client id at the issuer" })
  consoleClientId!: string;

  @Field(word, { description: 'Name to show' })
  brand!: string;

  @Field(word, { description: 'Address of the documentation' })
  docsUrl!: string;

  @Field(word, { description: 'Version of the services', example: '0.1.0' })
  version!: string;

  @Field(word, { description: 'DNS zone under which environments get public names' })
  servicesZone!: string;
}
