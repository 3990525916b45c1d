import { type DynamicModule, Module } from '@nestjs/common';
import { PartitionClock, type ServiceContext, ServiceModule } from '@plat/service';
import { AuditEventController } from './audit-events/audit-event.controller';
import { AuditEventService } from './audit-events/audit-event.service';
import { AuditLogController } from './audit-log/audit-log.controller';
import { AuditLogService } from './audit-log/audit-log.service';
import { LogProofService } from './audit-log/log-proof.service';
import { type AuditConfig, ledgerKeys } from './config';
import { LedgerKeys } from './sealing/ledger-keys';
import { Sealer } from './sealing/sealer';
import { registerSealingFigures } from './sealing/sealing-figures';

/** Reads the audit trail, which every service writes, and seals it. */
@Module({})
export class AuditModule {
  static register(context: ServiceContext, config: AuditConfig): DynamicModule {
    return {
      module: AuditModule,
      imports: [ServiceModule.register(context)],
      controllers: [AuditEventController, AuditLogController],
      providers: [
        AuditEventService,
        AuditLogService,
        LogProofService,
        { provide: LedgerKeys, useFactory: () => followKeys(context, config) },
        { provide: PartitionClock, useValue: new PartitionClock(context, 'audit') },
        {
          provide: Sealer,
          useFactory: (keys: LedgerKeys) => openSealer(context, config, keys),
          inject: [LedgerKeys],
        },
      ],
    };
  }
}

/** The keys of sealed logs, which change when their files do. */
function followKeys(context: ServiceContext, config: AuditConfig): LedgerKeys {
  const keys = new LedgerKeys(ledgerKeys(config));
  context.onConfigChange(() => keys.replace(ledgerKeys(config)));
  return keys;
}

function openSealer(context: ServiceContext, config: AuditConfig, keys: LedgerKeys): Sealer {
  const { LEDGER_HOST: host, LEDGER_SEAL_SECONDS: afterSeconds } = config;
  if (host !== undefined && keys.areThere) registerSealingFigures(context);
  return new Sealer(context, { keys, host, afterSeconds });
}
