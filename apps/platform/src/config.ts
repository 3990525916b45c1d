import { ServiceConfig } from '@plat/service';
import { IsOptional, IsString } from 'class-validator';

/** What the platform service describes to clients that have not signed in ("" where there is none), and what it may reach. */
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
   * for the one that the service runs in. Unset: no clusters, so a deleted environment has no namespace to remove.
   */
  @IsOptional()
  @IsString()
  CLUSTER_KUBECONFIG?: string;
}
