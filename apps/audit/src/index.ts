export { AuditModule } from './audit.module';
export { auditService } from './service';
