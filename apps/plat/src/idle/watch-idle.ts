import { type IdleMarker, type IdlePolicy, judgeIdle } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { factsOf, type IdleRecord, recorded, stopped } from './idle-record';
import { recordOptions } from './idle-status';
import { type OpenTerminal, type PodSnapshot, usedTerminals } from './pod-snapshot';
import type { Stopped } from './stop-deployment';
import { stopReason, warningLine, watchStep } from './watch-step';

/** The settings and functions that the watch of a pod works with. */
export interface IdleWatch {
  policy: IdlePolicy;
  /** The timeout as it was configured, for messages. */
  timeout: string;
  read(): Promise<PodSnapshot>;
  record: { read(): Promise<IdleRecord | undefined>; write(record: IdleRecord): Promise<void> };
  warn(terminals: readonly OpenTerminal[], line: string): Promise<void>;
  /** Scales the Deployment to 0. */
  stop(reason: string, at: Date): Promise<Stopped>;
  /** Waits until the next look; rejects or returns when `interrupted` is aborted. */
  pause(): Promise<unknown>;
  interrupted: AbortSignal;
  note(line: string): void;
}

/**
 * Records what happens in the pod, warns its shells, and stops the environment when it is idle. A step that fails, for a
 * refusal or a full disk, is tried again at each look; its reason is noted once. The record is also kept in memory,
 * because a pod whose disk is full must stop too. Rule H15.
 */
export async function watchIdle(watch: IdleWatch): Promise<void> {
  const { interrupted, note } = watch;
  const noted = new Map<string, string>();
  /** @returns undefined after a failure */
  const attempt = async <T>(step: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work();
      noted.delete(step);
      return result;
    } catch (error) {
      if (!(error instanceof Failure) && (error as NodeJS.ErrnoException).code === undefined) throw error;
      const { message } = error as Error;
      if (noted.get(step) !== message) note(`${message} It is tried again.`);
      noted.set(step, message);
      return undefined;
    }
  };
  let looked: Looked = { record: await attempt('read', () => watch.record.read()), warned: false };
  while (!interrupted.aborted) {
    const before = looked;
    looked = (await attempt('look', () => look(watch, before))) ?? before;
    const { record } = looked;
    if (record !== undefined) await attempt('write', () => watch.record.write(record));
    if (looked.isIdle === true) {
      const idle = looked;
      looked = (await attempt('stop', () => stop(watch, idle))) ?? { ...idle, isIdle: false };
    }
    await watch.pause().catch(() => undefined);
  }
}

/** The state that is known after a look. */
interface Looked {
  record: IdleRecord | undefined;
  /** Whether the shells are warned. */
  warned: boolean;
  /** Whether the environment may stop now, and what for. */
  isIdle?: boolean;
  markers?: readonly IdleMarker[];
}

async function look(watch: IdleWatch, before: Looked): Promise<Looked> {
  const { policy } = watch;
  const snapshot = await watch.read();
  const record = recorded(before.record, snapshot, recordOptions(policy));
  const verdict = judgeIdle(policy, factsOf(record, snapshot));
  const { timeoutMilliseconds } = policy;
  const step = watchStep(verdict, { timeoutMilliseconds, warned: before.warned });
  if (step.do === 'warn') {
    await watch.warn(usedTerminals(snapshot), warningLine(step.secondsUntilStop, snapshot.now));
  }
  return { record, warned: step.warned, isIdle: step.do === 'stop', markers: verdict.markers };
}

/** Stops the environment. If a user keeps it running, it is stopped again only after another timeout without use. */
async function stop(watch: IdleWatch, { record, markers = [] }: Looked): Promise<Looked> {
  if (record === undefined) return { record, warned: false };
  const reason = stopReason(watch.timeout, markers);
  const { outcome, warnings } = await watch.stop(reason, new Date(record.recordedAt));
  const line =
    outcome === 'stopped' ? `The environment stops. ${reason}` : 'The environment is stopped already.';
  for (const each of [line, ...warnings]) watch.note(each);
  return { record: stopped(record), warned: false };
}
