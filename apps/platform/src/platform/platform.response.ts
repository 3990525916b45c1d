import type { Platform } from '@plat/contracts/platform';
import type { PlatformConfig } from '../config';

/** The deployment's configuration under the contract's names; "" for unset values. */
export function toPlatform(config: PlatformConfig): Platform {
  return {
    issuer: config.PLATFORM_ISSUER,
    apiUrl: config.PLATFORM_API_URL,
    consoleUrl: config.PLATFORM_CONSOLE_URL,
    cliClientId: config.PLATFORM_CLI_CLIENT_ID,
    consoleClientId: config.PLATFORM_CONSOLE_CLIENT_ID,
    brand: config.PLATFORM_BRAND,
    docsUrl: config.PLATFORM_DOCS_URL,
    version: config.VERSION ?? '',
    servicesZone: config.PLATFORM_SERVICES_ZONE,
  };
}
