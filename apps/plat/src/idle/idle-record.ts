import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdleFacts } from '@plat/environments';
import { writeInPrivateFolder } from '@plat/local';
import { type PodSnapshot, usedTerminals } from './pod-snapshot';

/**
 * The facts that `plat idle watch` remembers of a pod, because a closed terminal, an ended lease and past traffic
 * cannot be seen afterwards. Times are epoch milliseconds by the clock at `recordedAt`.
 */
export interface IdleRecord {
  /** The space of process ids of the pod. A record of another one belongs to a pod that has ended. */
  space: string;
  recordedAt: number;
  /** The monotonic clock of the machine, in milliseconds. */
  monotonic: number;
  /** Nothing before counts: when the pod started, or when it stopped the environment and a user kept it running. */
  countsFrom: number;
  lastInputAt?: number | undefined;
  /** When a lease was seen last. */
  leaseSeenAt?: number | undefined;
  /** When a running job was seen last. */
  jobSeenAt?: number | undefined;
  /** The times of files as they were seen, by which a later use is found. */
  marks: Readonly<Record<string, number>>;
  /** The pod's total when it was recorded. */
  trafficBytes: number;
  /** Bytes of each minute that had any, by the minute's start. */
  minutes: ReadonlyArray<{ startedAt: number; bytes: number }>;
}

const MINUTE = 60_000;
/** A clock that is only corrected slowly differs by less between two looks. */
const CLOCK_SET_MILLISECONDS_MIN = 2000;

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
  const own = before?.space === space ? byClockOf(snapshot, before) : undefined;
  const { now, monotonic, leaseHolders, runningJobs, trafficBytes } = snapshot;
  const used = (key: string, time: number | undefined) => useOf({ key, time }, own, now);
  const inputs = usedTerminals(snapshot).map(({ number, lastInputAt }) =>
    used(terminal(number), lastInputAt),
  );
  return {
    space,
    recordedAt: now,
    monotonic,
    countsFrom: Math.max(own?.countsFrom ?? 0, snapshot.startedAt),
    lastInputAt: latest(own?.lastInputAt, ...inputs),
    leaseSeenAt: leaseHolders.length > 0 ? now : latest(own?.leaseSeenAt, used(LEASE, snapshot.leaseUsedAt)),
    jobSeenAt: runningJobs > 0 ? now : latest(own?.jobSeenAt, used(JOB, snapshot.jobUsedAt)),
    marks: marksOf(snapshot),
    trafficBytes,
    minutes: own === undefined ? [] : minutesWith(own, snapshot, keepMilliseconds),
  };
}

/** Returns the record after a stop. A pod that is kept running gets the whole timeout again. */
export function stopped(record: IdleRecord): IdleRecord {
  return { ...record, countsFrom: record.recordedAt };
}

/** Returns the facts to judge: the record and what runs now. */
export function factsOf(record: IdleRecord, snapshot: PodSnapshot): IdleFacts {
  return {
    now: snapshot.now,
    startedAt: record.countsFrom,
    lastInputAt: record.lastInputAt,
    leases: { holders: snapshot.leaseHolders, lastEndedAt: record.leaseSeenAt },
    jobs: { running: snapshot.runningJobs, lastEndedAt: record.jobSeenAt },
    traffic: record.minutes,
  };
}

/**
 * Returns the record with its times by the clock of the snapshot. Between two looks the clock may have been set, or the
 * machine was suspended, in which time no one could use it: neither is time without use.
 */
function byClockOf({ now, monotonic }: PodSnapshot, record: IdleRecord): IdleRecord {
  const change = now - record.recordedAt - (monotonic - record.monotonic);
  if (Math.abs(change) < CLOCK_SET_MILLISECONDS_MIN) return record;
  const moved = (time: number | undefined) => (time === undefined ? undefined : time + change);
  return {
    ...record,
    recordedAt: record.recordedAt + change,
    countsFrom: record.countsFrom + change,
    lastInputAt: moved(record.lastInputAt),
    leaseSeenAt: moved(record.leaseSeenAt),
    jobSeenAt: moved(record.jobSeenAt),
    minutes: record.minutes.map(({ startedAt, bytes }) => ({ startedAt: startedAt + change, bytes })),
  };
}

const LEASE = 'lease';
const JOB = 'job';
const terminal = (number: number) => `terminal ${number}`;

function marksOf({ terminals, leaseUsedAt, jobUsedAt }: PodSnapshot): Record<string, number> {
  const times: Array<[string, number | undefined]> = [
    ...terminals.map(({ number, lastInputAt }): [string, number] => [terminal(number), lastInputAt]),
    [LEASE, leaseUsedAt],
    [JOB, jobUsedAt],
  ];
  return Object.fromEntries(times.filter((each): each is [string, number] => each[1] !== undefined));
}

/**
 * When something was used, by the time of its file; undefined if it was not used since the last record. The file's time
 * is by the clock at the use, which may have been set since: the use lies between the last record and now.
 */
function useOf(
  { key, time }: { key: string; time: number | undefined },
  own: IdleRecord | undefined,
  now: number,
): number | undefined {
  if (time === undefined || own?.marks[key] === time) return undefined;
  return Math.min(Math.max(time, own?.recordedAt ?? 0), now);
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
    const { space, minutes, marks, ...rest } = value ?? {};
    const numbers = [rest.trafficBytes, rest.recordedAt, rest.monotonic, rest.countsFrom];
    const whole =
      typeof space === 'string' &&
      Array.isArray(minutes) &&
      typeof marks === 'object' &&
      numbers.every((each) => typeof each === 'number');
    return whole ? (value as IdleRecord) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeIdleRecord(folder: string, record: IdleRecord): Promise<void> {
  await writeInPrivateFolder(pathIn(folder), `${JSON.stringify(record)}\n`);
}
