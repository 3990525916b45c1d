import { Controller } from '@nestjs/common';
import { CreateGateRun, GateRun, GateRunPage, GateRunQuery, UpdateGateRun } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, PathId, RequestBody, RequestQuery, Route } from '@plat/service';
import { GateRunService } from './gate-run.service';

@Controller()
export class GateRunController {
  constructor(private readonly gateRuns: GateRunService) {}

  @Route('listGateRuns', { response: GateRunPage })
  list(@CurrentCaller() caller: Caller, @RequestQuery() query: GateRunQuery): Promise<GateRunPage> {
    return this.gateRuns.list(caller, query);
  }

  @Route('createGateRun', { response: GateRun })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateGateRun): Promise<GateRun> {
    return this.gateRuns.create(caller, body);
  }

  @Route('getGateRun', { response: GateRun })
  get(@CurrentCaller() caller: Caller, @PathId('gate_run_id') gateRunId: string): Promise<GateRun> {
    return this.gateRuns.get(caller, gateRunId);
  }

  @Route('updateGateRun', { response: GateRun })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('gate_run_id') gateRunId: string,
    @RequestBody() body: UpdateGateRun,
  ): Promise<GateRun> {
    return this.gateRuns.decide(caller, gateRunId, body);
  }
}
