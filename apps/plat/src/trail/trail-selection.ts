import {
  type ApiClient,
  type AuditEventPage,
  type AuditEventQuery,
  listAuditEvents,
  whoami,
} from '@plat/api-client';
import { parseInstant } from '@plat/contracts/core';
import { parseDuration } from '@plat/environments';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { userIdOf } from '../users/user-names';

const DAY_MS = 24 * 3600 * 1000;

/** The filters of `plat audit list`. */
export interface TrailSelection {
  /** An instant, or how long ago. */
  since?: string | undefined;
  until?: string | undefined;
  /** Id or name. */
  user?: string | undefined;
  /** Requests of the caller. */
  mine: boolean;
  type?: NonNullable<AuditEventQuery['type']> | undefined;
  method?: string | undefined;
  path?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Reads a page of the audit trail, newest first.
 *
 * @throws Failure INVALID_TIME, USER_NOT_IN_TENANT
 */
export async function readTrail(
  configFolder: string,
  { alias, api }: Platform,
  selection: TrailSelection,
): Promise<AuditEventPage> {
  const { mine, user, type, method, path, limit, cursor } = selection;
  const query: AuditEventQuery = {
    ...timesOf(selection, new Date()),
    erunUserId: mine ? await callerId(api) : await userIdOf(configFolder, alias, user),
    type,
    apiMethod: method?.toUpperCase(),
    apiPath: path,
    limit: limit?.toString(),
    cursor,
  };
  return listAuditEvents(api, { query });
}

/** A beginning after the end is a slip, such as of two durations, and no question that nothing answers. */
function timesOf(
  selection: TrailSelection,
  now: Date,
): { since: string | undefined; until: string | undefined } {
  const since = moment(selection.since, '--since', now);
  const until = moment(selection.until, '--until', now);
  if (since === undefined || until === undefined || Date.parse(since) <= Date.parse(until)) {
    return { since, until };
  }
  throw new Failure('INVALID_TIME', `--since ${selection.since} is later than --until ${selection.until}.`, {
    next: nextStep('--since', [selection.until ?? ''], '--until', [selection.since ?? '']),
  });
}

const callerId = async (api: ApiClient): Promise<string> => (await whoami(api)).userId;

/** @returns RFC 3339 UTC @throws Failure INVALID_TIME */
export function moment(text: string | undefined, flag: string, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const time = timeOf(text, now);
  if (time !== undefined) return time;
  throw new Failure('INVALID_TIME', `${flag} ${JSON.stringify(text)} is neither a time nor how long ago.`, {
    next: 'give a time such as 2026-01-02T03:04:05Z, or how long ago: 15m, 1h30m, 7d',
  });
}

/** The time that a text says, an instant or how long ago: RFC 3339 UTC. */
export function timeOf(text: string, now: Date): string | undefined {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  const ago = millisecondsAgo(text);
  return ago !== undefined && ago >= 0 ? new Date(now.getTime() - ago).toISOString() : undefined;
}

/** A duration as elsewhere, or whole days. */
function millisecondsAgo(text: string): number | undefined {
  const days = /^(\d{1,6})d$/.exec(text);
  return days ? Number(days[1]) * DAY_MS : parseDuration(text);
}
