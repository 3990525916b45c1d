import { type IdleMarker, type IdlePolicy, judgeIdle } from '@plat/environments';
import { processSpace } from '@plat/local';
import { requireEnvironmentFolder } from '../config/environment-folder';
import type { Environment } from '../environment';
import type { Table } from '../terminal/table';
import { factsOf, readIdleRecord, recorded } from './idle-record';
import { ownPolicy, type ShownPolicy } from './own-policy';
import { readPod } from './read-pod';

/** Result of `plat idle`. Rule H15. */
export interface IdleStatus {
  policy: ShownPolicy;
  stopEligible: boolean;
  stopBlockedReason?: string | undefined;
  secondsUntilStop?: number | undefined;
  markers: IdleMarker[];
  /** Holders of live leases. */
  leases: string[];
}

/** How old a record may be while `plat idle watch` runs. */
const RECORD_AGE_MAX_MILLISECONDS = 90_000;

/** Judges this pod now, by what `plat idle watch` has recorded. Changes nothing. @throws Failure NO_ENVIRONMENT */
export async function idleStatus(
  environment: Environment,
): Promise<{ status: IdleStatus; isWatched: boolean }> {
  const folder = requireEnvironmentFolder(environment);
  const { policy, shown } = ownPolicy(environment);
  const [snapshot, before] = await Promise.all([readPod(environment), readIdleRecord(folder)]);
  const record = recorded(before, snapshot, recordOptions(policy));
  const verdict = judgeIdle(policy, factsOf(record, snapshot));
  const isWatched =
    before?.space === record.space && snapshot.monotonic - before.monotonic <= RECORD_AGE_MAX_MILLISECONDS;
  return { status: { policy: shown, ...verdict, leases: [...snapshot.leaseHolders] }, isWatched };
}

export function recordOptions({ timeoutMilliseconds }: IdlePolicy) {
  return { space: processSpace(), keepMilliseconds: timeoutMilliseconds };
}

/** The markers, one a line. */
export function markerTable({ markers }: IdleStatus): Table {
  return {
    columns: ['MARKER', { title: 'IDLE', as: 'status' }, 'SECONDS LEFT', { title: 'REASON', as: 'elastic' }],
    rows: markers.map(({ name, idle, reason, secondsRemaining }) => [
      name,
      idle ? 'yes' : 'no',
      secondsRemaining?.toString(),
      reason,
    ]),
    whenEmpty: '',
  };
}

/** One sentence: whether the environment may stop, and otherwise why not and when it will. */
export function stopSentence({ stopEligible, stopBlockedReason, secondsUntilStop }: IdleStatus): string {
  if (stopEligible) return 'The environment is idle and stops now.';
  const when =
    secondsUntilStop === undefined ? '' : ` If nothing happens, it stops in ${secondsUntilStop} s.`;
  return `The environment does not stop: ${stopBlockedReason}.${when}`;
}
