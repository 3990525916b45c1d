import { ServiceConfig, type ServiceDefinition } from '@plat/service';
import { ReleasesModule } from './releases.module';

/** The releases service, for a process of its own or together with the others. */
export const releasesService: ServiceDefinition<ServiceConfig> = {
  name: 'releases',
  config: ServiceConfig,
  module: (context) => ReleasesModule.register(context),
};
