import { Controller } from '@nestjs/common';
import { Platform } from '@plat/contracts/platform';
import { Route } from '@plat/service';
import { PlatformConfig } from '../config';

@Controller()
export class PlatformController {
  constructor(private readonly config: PlatformConfig) {}

  @Route('getPlatform', { response: Platform })
  get(): Platform {
    const { config } = this;
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
}
