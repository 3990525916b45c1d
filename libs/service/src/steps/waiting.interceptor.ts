import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ApiError, type RouteEntry } from '@plat/contracts/core';
import { CallerGone } from '@plat/fair-slots';
import { entityTag, namesTag } from '../answers/entity-tag';
import { type PlatRequest, replyOf, requestOf } from '../request/request';
import { timeToChange } from '../waiting/change-by-time';
import { type Wait, type WaitEnd, Waiters, type WatchedKey } from '../waiting/waiters';
import { subjectOf } from '../waiting/waiting';
import type { Version } from '../waiting/wake-ups';
import { ActingRequests } from './acting.guard';
import { AuditGuard } from './audit.guard';
import { routeOf } from './declared-route';
import { IdentityGuard } from './identity.guard';

/** One request of a route that can wait. */
interface Exchange {
  request: PlatRequest;
  reply: FastifyReply;
  entry: RouteEntry;
  /** Undefined if the request is going to be refused for what it names. */
  key: WatchedKey | undefined;
  /** Runs the handler. */
  handle(): Promise<unknown>;
}

/** The value that a handler returned, or its error; in `dueMs`, when the value changes with time alone. */
type Outcome = { value: unknown; tag: string; dueMs?: number | undefined } | { error: unknown };

/**
 * Answers a request that prefers to wait when what it shows has changed, or when its time is over or the service ends.
 * While it waits it holds neither slot nor connection. Its caller is judged again after the wait, and it has its audit row
 * before it is answered, or when its caller has gone away.
 */
@Injectable()
export class WaitingInterceptor implements NestInterceptor {
  constructor(
    private readonly waiters: Waiters,
    private readonly identity: IdentityGuard,
    private readonly audit: AuditGuard,
    private readonly acting: ActingRequests,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, entry] = [requestOf(context), routeOf(context)];
    const subject = subjectOf(request, entry);
    const exchange = {
      request,
      reply: replyOf(context),
      entry,
      key: subject && { scope: request.caller!, ...subject },
      handle: () => lastValueFrom<unknown>(next.handle()),
    };
    const waits = request.waitSeconds !== undefined;
    const outcome = waits ? await this.answerAtEnd(exchange) : await this.read(exchange);
    if ('error' in outcome) throw outcome.error;
    return from([outcome.value]);
  }

  /** @throws what refuses a caller who may not read any more; such a request has no row */
  private async answerAtEnd(exchange: Exchange): Promise<Outcome> {
    const { request, reply, entry, key } = exchange;
    const gone = new AbortController();
    const leave = () => gone.abort();
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
    const wait = key && this.waiters.enter(key, request.waitSeconds!, gone.signal);
    try {
      if (wait) void reply.header('preference-applied', `wait=${request.waitSeconds}`);
      const outcome = wait ? await this.readUntilChanged(exchange, wait) : await this.read(exchange);
      await this.audit.record(request, entry);
      this.acting.count += 1;
      return outcome;
    } finally {
      reply.raw.removeListener('close', leave);
      wait?.leave();
    }
  }

  /** Reads again after each change, until the caller's tag does not name what is read. */
  private async readUntilChanged(exchange: Exchange, wait: Wait): Promise<Outcome> {
    const { request, entry } = exchange;
    let last: Outcome | undefined;
    for (;;) {
      const dueMs = last && 'tag' in last ? last.dueMs : undefined;
      const end = await this.waitWithoutSlots(request, () => wait.next(dueMs));
      if (end === 'gone') return { error: new ApiError('SERVICE_UNAVAILABLE', { cause: new CallerGone() }) };
      await this.identity.judge(request, entry);
      this.audit.admit(request, entry);
      const isOver = end === 'over' || end === 'ending';
      // Without versions, or if it changes with time, only what is read now shows that nothing has changed.
      if (isOver && last && dueMs === undefined && !wait.isBlind) return last;
      last = await this.read(exchange, wait.version);
      if (isOver || !isCurrent(request, last)) return last;
    }
  }

  /** Waits without a slot. The time does not count as time that the request took. */
  private async waitWithoutSlots(request: PlatRequest, next: () => Promise<WaitEnd>): Promise<WaitEnd> {
    const since = performance.now();
    const end = await request.slots!.runWithout(next);
    request.waitedMs = (request.waitedMs ?? 0) + performance.now() - since;
    return end;
  }

  /**
   * @param version of before the reading, for the tag of a listing that is too long to be read for its tag; undefined to
   *   ask for it if it is needed
   */
  private async read(exchange: Exchange, version?: Version): Promise<Outcome> {
    const { request, reply, key } = exchange;
    try {
      const value = await exchange.handle();
      if (!(value instanceof StreamableFile)) {
        return { value, tag: entityTag(JSON.stringify(value)), dueMs: timeToChange(value) };
      }
      if (version === undefined) {
        value.getStream().destroy();
        return await this.read(exchange, await this.waiters.versionOf(key!));
      }
      const { tenantId, acrossTenants } = request.caller!;
      const tag = entityTag(JSON.stringify([tenantId, acrossTenants, request.url, version]));
      void reply.header('etag', tag);
      return { value, tag };
    } catch (error) {
      return { error };
    }
  }
}

/** Whether the caller has what was read. */
function isCurrent({ headers }: PlatRequest, outcome: Outcome): boolean {
  return 'tag' in outcome && namesTag(headers['if-none-match'], outcome.tag);
}
