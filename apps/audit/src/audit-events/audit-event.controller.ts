import { Controller } from '@nestjs/common';
import { AuditEventPage, AuditEventQuery } from '@plat/contracts/audit';
import { type Caller, CurrentCaller, RequestQuery, Route } from '@plat/service';
import { AuditEventService } from './audit-event.service';

@Controller()
export class AuditEventController {
  constructor(private readonly events: AuditEventService) {}

  @Route('listAuditEvents', { response: AuditEventPage })
  list(@CurrentCaller() caller: Caller, @RequestQuery() query: AuditEventQuery): Promise<AuditEventPage> {
    return this.events.list(caller, query);
  }
}
