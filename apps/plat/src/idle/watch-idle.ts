import { type IdlePolicy, judgeIdle } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { factsOf, type IdleRecord, recorded } from './idle-record';
import { recordOptions } from './idle-status';
import { type OpenTerminal, type PodSnapshot, usedTerminals } from './pod-snapshot';
import { stopReason, warningLine, watchStep } from './watch-step';

/** What the watch of a pod works with. */
export interface IdleWatch {
  policy: IdlePolicy;
  /** The timeout as it was configured, for messages. */
  timeout: string;
  read(): Promise<PodSnapshot>;
  record: { read(): Promise<IdleRecord | undefined>; write(record: IdleRecord): Promise<void> };
  warn(terminals: readonly OpenTerminal[], line: string): Promise<void>;
  /** Scales the Deployment to 0. @returns sentences for the log */
  stop(reason: string, at: Date): Promise<readonly string[]>;
  /** Waits until the next look; rejects or returns when `interrupted` is aborted. */
  pause(): Promise<unknown>;
  interrupted: AbortSignal;
  note(line: string): void;
}

/**
 * Records what happens in the pod, warns its shells, and stops the environment once when it is idle. A stop that fails is
 * tried again at each look; its reason is noted once. Decision H15.
 */
export async function watchIdle(watch: IdleWatch): Promise<void> {
  const { interrupted, note } = watch;
  let warned = false;
  let noted: string | undefined;
  while (!interrupted.aborted) {
    try {
      warned = await look(watch, warned);
      noted = undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.message !== noted) note(`${error.message} It is tried again.`);
      noted = error.message;
    }
    await watch.pause().catch(() => undefined);
  }
}

/** @returns whether the shells are warned */
async function look(watch: IdleWatch, warnedBefore: boolean): Promise<boolean> {
  const { policy, record: store } = watch;
  const snapshot = await watch.read();
  const record = recorded(await store.read(), snapshot, recordOptions(policy));
  await store.write(record);
  const verdict = judgeIdle(policy, factsOf(record, snapshot));
  const { timeoutMilliseconds } = policy;
  const step = watchStep(verdict, { timeoutMilliseconds, warned: warnedBefore });
  if (step.do === 'warn') {
    await watch.warn(usedTerminals(snapshot), warningLine(step.secondsUntilStop, snapshot.now));
  }
  if (step.do === 'stop' && !record.stopped) {
    const reason = stopReason(watch.timeout, verdict.markers);
    const warnings = await watch.stop(reason, new Date(snapshot.now));
    await store.write({ ...record, stopped: true });
    for (const line of [`The environment stops. ${reason}`, ...warnings]) watch.note(line);
  }
  return step.warned;
}
