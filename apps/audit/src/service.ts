import type { ServiceDefinition } from '@plat/service';
import { AuditModule } from './audit.module';
import { AuditConfig } from './config';

/** Describes the audit service, which runs in a process of its own or together with the others. */
export const auditService: ServiceDefinition<AuditConfig> = {
  name: 'audit',
  config: AuditConfig,
  module: (context, config) => AuditModule.register(context, config),
};
