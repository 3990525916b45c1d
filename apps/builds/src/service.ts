import { ServiceConfig, type ServiceDefinition } from '@plat/service';
import { BuildsModule } from './builds.module';

/** Describes the builds service, which runs in a process of its own or together with the others. */
export const buildsService: ServiceDefinition<ServiceConfig> = {
  name: 'builds',
  config: ServiceConfig,
  module: (context) => BuildsModule.register(context),
};
