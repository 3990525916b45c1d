import type { ServiceDefinition } from '@plat/service';
import { PlatformConfig } from './config';
import { PlatformModule } from './platform.module';

/** Describes the platform service, which runs in a process of its own or together with the others. */
export const platformService: ServiceDefinition<PlatformConfig> = {
  name: 'platform',
  config: PlatformConfig,
  module: (context, config) => PlatformModule.register(context, config),
};
