import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { newId, type RouteEntry } from '@plat/contracts/core';
import type { Principal } from '../authentication/identity';
import { type PlatRequest, requestOf } from '../request/request';
import { auditedFieldOf } from '../request/request-body';
import { callerRequestIdOf } from '../request/request-id';
import { secondsToWait, subjectOf } from '../waiting/waiting';
import { type AuditRow, AuditWriter } from './audit-writer';
import { routeOf } from './declared-route';

const MCP_TOOL = /^[a-z][a-z0-9_-]{0,63}$/;
/** Most characters of a field that the audit row keeps; a longer field fails validation anyway. */
const AUDITED_LENGTH_MAX = 16 * 1024;

/**
 * Step 6: the audit row, durable before the handler acts. Spec: API, Audit events, rules 5 and 6; rules D3, D4. A
 * request that waits for a change has its row when it is answered (WaitingInterceptor); what it reads before is not shown.
 *
 * @throws SERVICE_UNAVAILABLE when it cannot be written, and what AuditWriter.record refuses a caller with who is not
 *   admitted any more; then nothing is done
 */
@Injectable()
export class AuditGuard implements CanActivate {
  constructor(private readonly writer: AuditWriter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [request, entry] = [requestOf(context), routeOf(context)];
    request.waitSeconds = subjectOf(request, entry) && secondsToWait(request);
    if (request.waitSeconds === undefined) await this.record(request, entry);
    this.admit(request, entry);
    return true;
  }

  /** Writes the request's row. */
  record(request: PlatRequest, entry: RouteEntry): Promise<void> {
    return this.writer.record({
      ...callerColumns(request, request.principal!),
      ...actionColumns(request, entry),
    });
  }

  /** Sets for whom the handler acts. */
  admit(request: PlatRequest, entry: RouteEntry): void {
    const principal = request.principal!;
    request.caller = {
      tenantId: principal.tenantId,
      userId: principal.userId,
      proof: principal.proof,
      acrossTenants: principal.operations && entry.method === 'GET' && principal.permissions.readAll,
      requestId: request.id,
      principal,
      aside: (work) => request.slots!.runWithout(work),
    };
  }
}

type CallerColumns = Pick<
  AuditRow,
  | 'proof'
  | 'auditEventId'
  | 'requestId'
  | 'callerRequestId'
  | 'externalUserId'
  | 'externalIssuerId'
  | 'externalOrgId'
>;

function callerColumns(request: PlatRequest, principal: Principal): CallerColumns {
  const callerRequestId = callerRequestIdOf(request.headers);
  return {
    auditEventId: newId(),
    requestId: request.id,
    callerRequestId,
    proof: principal.proof,
    externalUserId: principal.subject,
    externalIssuerId: principal.issuer,
    externalOrgId: principal.organization,
  };
}

function actionColumns(
  request: PlatRequest,
  entry: RouteEntry,
): Pick<AuditRow, 'type' | 'apiMethod' | 'apiPath' | 'mcpTool' | 'apiParameters'> {
  const action = {
    apiMethod: entry.method,
    apiPath: entry.template,
    ...auditedParameters(request, entry.auditedField),
  };
  const tool = request.headers['x-plat-mcp-tool'];
  // A route with an audited field is recorded as a request, even if a tool sent it.
  const byTool = entry.auditedField === undefined && typeof tool === 'string' && MCP_TOOL.test(tool);
  return byTool ? { type: 'MCP', mcpTool: tool, ...action } : { type: 'API', ...action };
}

/** The audited field of the body, if it is text that can be stored. Spec: API, Events, rule 3. */
function auditedParameters(request: PlatRequest, field: string | undefined): Pick<AuditRow, 'apiParameters'> {
  const value = field === undefined ? undefined : auditedFieldOf(request.body, field);
  if (field === undefined || typeof value !== 'string') return {};
  return {
    apiParameters: { [field]: value.slice(0, AUDITED_LENGTH_MAX).replaceAll('\0', '').toWellFormed() },
  };
}
