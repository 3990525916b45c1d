import { IsIn, IsOptional, IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { Secret, SecretText, ServiceConfig } from '@plat/service';
import { IN_CLUSTER } from './environments/kubernetes-cluster';
import { contextsOf } from './environments/open-contexts';
import { TSIG_ALGORITHMS, type TsigAlgorithm } from './hostname/tsig';
import { IsBase64Secret, IsKubeconfig } from './variable-checks';

const HOST_AND_PORT = /^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$/;

/** Configuration of the platform service: its description for clients that have not signed in, and its peers. */
export class PlatformConfig extends ServiceConfig {
  @IsString()
  PLATFORM_ISSUER = '';

  @IsString()
  PLATFORM_API_URL = '';

  @IsString()
  PLATFORM_CONSOLE_URL = '';

  @IsString()
  PLATFORM_CLI_CLIENT_ID = '';

  @IsString()
  PLATFORM_CONSOLE_CLIENT_ID = '';

  @IsString()
  PLATFORM_BRAND = '';

  @IsString()
  PLATFORM_DOCS_URL = '';

  @IsString()
  PLATFORM_SERVICES_ZONE = '';

  /**
   * The clusters that environments run in: path of a kubeconfig file whose contexts environments name, or `in-cluster`
   * for the one that the service runs in. When unset there are no clusters, so deleting an environment removes no
   * namespace.
   */
  @IsOptional()
  @IsKubeconfig()
  CLUSTER_KUBECONFIG?: string;

  /**
   * Contexts of CLUSTER_KUBECONFIG that environments may name, with commas between them. Tenants name them freely, so one
   * that is not here is refused whether the file has it or not.
   */
  @ValidateBy({
    name: 'areContexts',
    validator: {
      validate: (value, args) =>
        value === '' || (hasKubeconfig(args) && contextsOf(String(value)).every(Boolean)),
      defaultMessage: () =>
        'CLUSTER_CONTEXTS must be names of contexts with commas between them, with a file as CLUSTER_KUBECONFIG',
    },
  })
  CLUSTER_CONTEXTS = '';

  /**
   * The name server that takes UPDATEs of PLATFORM_SERVICES_ZONE, as host or host:port. The zone and the TSIG key's
   * name and secret must be set as well. When unset, the hostname routes answer NOT_IMPLEMENTED.
   */
  @IsOptional()
  @ValidateBy({
    name: 'isNameServer',
    validator: {
      validate: (value, args) => HOST_AND_PORT.test(String(value)) && hasDnsKey(args),
      defaultMessage: () =>
        'DNS_SERVER must be host:port, with PLATFORM_SERVICES_ZONE, DNS_TSIG_NAME and DNS_TSIG_SECRET set',
    },
  })
  DNS_SERVER?: string;

  @IsString()
  DNS_TSIG_NAME = '';

  @IsIn(TSIG_ALGORITHMS)
  DNS_TSIG_ALGORITHM: TsigAlgorithm = 'hmac-sha256';

  /** In base64. */
  @IsBase64Secret()
  @IsOptional()
  @SecretText()
  DNS_TSIG_SECRET?: Secret;
}

function hasKubeconfig(args: ValidationArguments | undefined): boolean {
  const { CLUSTER_KUBECONFIG } = args?.object as PlatformConfig;
  return CLUSTER_KUBECONFIG !== undefined && CLUSTER_KUBECONFIG !== IN_CLUSTER;
}

function hasDnsKey(args: ValidationArguments | undefined): boolean {
  const { PLATFORM_SERVICES_ZONE, DNS_TSIG_NAME, DNS_TSIG_SECRET } = args?.object as PlatformConfig;
  return PLATFORM_SERVICES_ZONE !== '' && DNS_TSIG_NAME !== '' && DNS_TSIG_SECRET !== undefined;
}
