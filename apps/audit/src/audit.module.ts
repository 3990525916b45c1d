import { type DynamicModule, Module } from '@nestjs/common';
import { PartitionClock, type ServiceContext, ServiceModule } from '@plat/service';
import { AuditEventController } from './audit-events/audit-event.controller';
import { AuditEventService } from './audit-events/audit-event.service';

/** Reads the audit trail, which every service writes. */
@Module({})
export class AuditModule {
  static register(context: ServiceContext): DynamicModule {
    return {
      module: AuditModule,
      imports: [ServiceModule.register(context)],
      controllers: [AuditEventController],
      providers: [
        AuditEventService,
        { provide: PartitionClock, useValue: new PartitionClock(context, 'audit') },
      ],
    };
  }
}
