import { ServiceConfig } from '@plat/service';
import { IsString } from 'class-validator';

/** What the platform service describes to clients that have not signed in; "" where a deployment has none. */
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
}
