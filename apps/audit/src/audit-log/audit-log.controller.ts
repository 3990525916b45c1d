import { Controller } from '@nestjs/common';
import {
  AuditLogCheckpoint,
  AuditLogConsistencyProof,
  AuditLogConsistencyProofQuery,
  AuditLogEntryPage,
  AuditLogEntryQuery,
  AuditLogInclusionProof,
  AuditLogInclusionProofQuery,
  AuditLogKeySet,
  AuditLogTile,
  AuditLogTileQuery,
} from '@plat/contracts/audit';
import { type Caller, CurrentCaller, RequestQuery, Route } from '@plat/service';
import { AuditLogService } from './audit-log.service';
import { LogProofService } from './log-proof.service';

@Controller()
export class AuditLogController {
  constructor(
    private readonly log: AuditLogService,
    private readonly proofs: LogProofService,
  ) {}

  @Route('getAuditLogCheckpoint', { response: AuditLogCheckpoint })
  getCheckpoint(@CurrentCaller() caller: Caller): Promise<AuditLogCheckpoint> {
    return this.log.checkpoint(caller);
  }

  @Route('listAuditLogKeys', { response: AuditLogKeySet })
  listKeys(@CurrentCaller() caller: Caller): Promise<AuditLogKeySet> {
    return this.log.keys(caller);
  }

  @Route('listAuditLogEntries', { response: AuditLogEntryPage })
  listEntries(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: AuditLogEntryQuery,
  ): Promise<AuditLogEntryPage> {
    return this.log.entries(caller, query);
  }

  @Route('getAuditLogTile', { response: AuditLogTile })
  getTile(@CurrentCaller() caller: Caller, @RequestQuery() query: AuditLogTileQuery): Promise<AuditLogTile> {
    return this.log.tile(caller, query);
  }

  @Route('getAuditLogInclusionProof', { response: AuditLogInclusionProof })
  proveInclusion(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: AuditLogInclusionProofQuery,
  ): Promise<AuditLogInclusionProof> {
    return this.proofs.inclusion(caller, query);
  }

  @Route('getAuditLogConsistencyProof', { response: AuditLogConsistencyProof })
  proveConsistency(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: AuditLogConsistencyProofQuery,
  ): Promise<AuditLogConsistencyProof> {
    return this.proofs.consistency(caller, query);
  }
}
