import { ServiceConfig, type ServiceDefinition } from '@plat/service';
import { AuditModule } from './audit.module';

/** The audit service, for a process of its own or beside the others. */
export const auditService: ServiceDefinition<ServiceConfig> = {
  name: 'audit',
  config: ServiceConfig,
  module: (context) => AuditModule.register(context),
};
