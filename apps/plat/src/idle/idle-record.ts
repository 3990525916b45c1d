import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdleFacts } from '@plat/environments';
import { writeInPrivateFolder } from '@plat/local';
import { lastInput, type PodSnapshot } from './pod-snapshot';

/**
 * What `plat idle watch` remembers of a pod, because a closed terminal, an ended lease and past traffic cannot be seen
 * afterwards. Times are epoch milliseconds.
 */
export interface IdleRecord {
  /** The space of process ids of the pod. A record of another one belongs to a pod that has ended. */
  space: string;
  recordedAt: number;
  lastInputAt?: number | undefined;
  /** When a lease was seen last. */
  leaseSeenAt?: number | undefined;
  /** When a running job was seen last. */
  jobSeenAt?: number | undefined;
  /** The pod's total when it was recorded. */
  trafficBytes: number;
  /** Bytes of each minute that had any, by the minute's start. */
  minutes: ReadonlyArray<{ startedAt: number; bytes: number }>;
  /** Whether the pod has scaled its Deployment to 0. */
  stopped: boolean;
}

const MINUTE = 60_000;

/**
 * The record with a snapshot added. Traffic since the last record counts for the minute of the snapshot.
 *
 * @param keepMilliseconds older minutes are forgotten
 */
export function recorded(
  before: IdleRecord | undefined,
  snapshot: PodSnapshot,
  { space, keepMilliseconds }: { space: string; keepMilliseconds: number },
): IdleRecord {
  const own = before?.space === space ? before : undefined;
  const { now, leaseHolders, runningJobs, trafficBytes } = snapshot;
  return {
    space,
    recordedAt: now,
    lastInputAt: latest(own?.lastInputAt, lastInput(snapshot)),
    leaseSeenAt: leaseHolders.length > 0 ? now : own?.leaseSeenAt,
    jobSeenAt: runningJobs > 0 ? now : own?.jobSeenAt,
    trafficBytes,
    minutes: own === undefined ? [] : minutesWith(own, snapshot, keepMilliseconds),
    stopped: own?.stopped ?? false,
  };
}

/** What is judged: the record and what runs now. */
export function factsOf(record: IdleRecord, snapshot: PodSnapshot): IdleFacts {
  return {
    now: snapshot.now,
    startedAt: snapshot.startedAt,
    lastInputAt: record.lastInputAt,
    leases: { holders: snapshot.leaseHolders, lastEndedAt: record.leaseSeenAt },
    jobs: { running: snapshot.runningJobs, lastEndedAt: record.jobSeenAt },
    traffic: record.minutes,
  };
}

function minutesWith(
  { minutes, trafficBytes: before }: IdleRecord,
  { now, trafficBytes }: PodSnapshot,
  keepMilliseconds: number,
): IdleRecord['minutes'] {
  const startedAt = Math.floor(now / MINUTE) * MINUTE;
  const kept = minutes.filter((minute) => minute.startedAt > now - keepMilliseconds - 2 * MINUTE);
  // A counter that went back belongs to an interface that was replaced.
  const fresh = Math.max(0, trafficBytes - before);
  const sameMinute = kept.find((minute) => minute.startedAt === startedAt);
  const bytes = fresh + (sameMinute?.bytes ?? 0);
  return bytes === 0 ? kept : [...kept.filter((minute) => minute !== sameMinute), { startedAt, bytes }];
}

function latest(...times: ReadonlyArray<number | undefined>): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

const pathIn = (folder: string) => join(folder, 'idle.json');

/** The record in an environment's folder of state. One that is missing or damaged begins again. */
export async function readIdleRecord(folder: string): Promise<IdleRecord | undefined> {
  try {
    const value = JSON.parse(await readFile(pathIn(folder), 'utf8')) as Partial<IdleRecord> | null;
    const { space, trafficBytes, minutes } = value ?? {};
    const whole = typeof space === 'string' && typeof trafficBytes === 'number' && Array.isArray(minutes);
    return whole ? (value as IdleRecord) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeIdleRecord(folder: string, record: IdleRecord): Promise<void> {
  await writeInPrivateFolder(pathIn(folder), `${JSON.stringify(record)}\n`);
}
