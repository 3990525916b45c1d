import { ServiceConfig, type ServiceDefinition } from '@plat/service';
import { ReleasesModule } from './releases.module';

/** Describes the releases service, which runs in a process of its own or together with the others. */
export const releasesService: ServiceDefinition<ServiceConfig> = {
  name: 'releases',
  config: ServiceConfig,
  module: (context) => ReleasesModule.register(context),
};
