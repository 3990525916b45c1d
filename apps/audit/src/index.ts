export { AuditModule } from './audit.module';
export { LedgerKeys } from './sealing/ledger-keys';
export { Sealer } from './sealing/sealer';
export { auditService } from './service';
