export { auditService } from './service';
export { AuditModule } from './audit.module';
