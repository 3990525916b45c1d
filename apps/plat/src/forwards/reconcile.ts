import {
  applyCap,
  type Channel,
  CHANNEL_TITLES,
  holdersOfPort,
  isSameForward,
  logPathOf,
  matchesForward,
  probe,
  readProcess,
  readRecord,
  type RunningProcess,
  stopForward,
  withChannelLock,
  writeRecord,
} from '@plat/forwards';
import type { PlannedForward } from './forward-plan';
import { startDaemon } from './start-daemon';

/** What became of a channel's forward. Decision H8. */
export interface ChannelResult {
  outcome: 'reused' | 'adopted' | 'started' | 'failed';
  localPort: number;
  /** Undefined if nothing is forwarded. */
  processId?: number | undefined;
  logPath: string;
  /** Why it failed. */
  message?: string | undefined;
}

export interface ReconcileInput {
  configFolder: string;
  /** The daemon's program. */
  program: string;
  /** Why nothing could answer on the channel, for example that its Service is missing; undefined if it could. */
  missing(forward: PlannedForward): Promise<string | undefined>;
}

/** Milliseconds in which a forward of a pod that is ready answers its probe. */
const PROBE_MILLISECONDS = 5_000;

/**
 * Makes one channel's forward as it should be, in the contract's order: reuse, stop the recorded process, adopt the
 * holder or refuse, start. Spec: Client, Port-forward reconciliation, rules 1 to 4.
 */
export function reconcile(forward: PlannedForward, input: ReconcileInput): Promise<ChannelResult> {
  const { record, channel } = forward;
  return withChannelLock(input.configFolder, { name: record, channel }, () =>
    reconcileLocked(forward, input),
  );
}

async function reconcileLocked(forward: PlannedForward, input: ReconcileInput): Promise<ChannelResult> {
  const { channel, path, record } = forward;
  const { record: found, isLegacy } = await readRecord(path);
  const isSame = found !== undefined && !isLegacy && isSameForward(found, record);
  const recorded = isSame && found.processId !== undefined ? await readProcess(found.processId) : undefined;
  const [holder] = await holdersOfPort(record.localPort);
  if (isSame && holder !== undefined && (await answers(channel, record.localPort))) {
    applyCap(logOf(forward));
    return { ...resultOf(forward), outcome: 'reused', processId: holder.process?.pid ?? found.processId };
  }
  if (recorded !== undefined && holder?.process?.pid === recorded.pid) await stopForward(recorded);
  // A matching forward of before has another record, or none.
  const [still] = await holdersOfPort(record.localPort);
  if (still !== undefined) {
    const adopted = await adopt(forward, still.process);
    if (adopted === 'foreign') return failed(forward, inUse(forward, still.name));
    if (adopted !== undefined) return adopted;
  }
  return start(forward, input);
}

/**
 * Adopts the holder of the port if its argv is that of the forward and it answers; one that does not answer is stopped.
 *
 * @returns undefined if the port is free now; foreign: it is another program's, or the forward would not end
 */
async function adopt(
  forward: PlannedForward,
  holder: RunningProcess | undefined,
): Promise<ChannelResult | 'foreign' | undefined> {
  const { channel, path, record } = forward;
  if (holder === undefined || !matchesForward(holder.argv, forward.start)) return 'foreign';
  if (await answers(channel, record.localPort)) {
    await writeRecord(path, { ...record, processId: holder.pid });
    applyCap(logOf(forward));
    return { ...resultOf(forward), outcome: 'adopted', processId: holder.pid };
  }
  return (await stopForward(holder)) ? undefined : 'foreign';
}

async function start(forward: PlannedForward, { program, missing }: ReconcileInput): Promise<ChannelResult> {
  const { channel, path, record, start: target } = forward;
  const reason = await missing(forward);
  if (reason !== undefined) return failed(forward, reason);
  // The daemon reads where its log is.
  await writeRecord(path, record);
  applyCap(logOf(forward));
  const started = await startDaemon(program, target);
  if ('error' in started) {
    const [holder] = await holdersOfPort(record.localPort);
    if (started.error === 'EADDRINUSE' && holder !== undefined) {
      const adopted = await adopt(forward, holder.process);
      return typeof adopted === 'object' ? adopted : failed(forward, inUse(forward, holder.name));
    }
    return failed(forward, started.message);
  }
  await writeRecord(path, { ...record, processId: started.pid });
  const { alive, why } = await probe(channel, record.localPort, PROBE_MILLISECONDS);
  const result = { ...resultOf(forward), processId: started.pid };
  if (alive) return { ...result, outcome: 'started' };
  // It stays: the next connection finds a pod that answers by then.
  const message = `${CHANNEL_TITLES[channel]} does not answer through port ${record.localPort} yet: ${why}`;
  return { ...result, outcome: 'failed', message };
}

async function answers(channel: Channel, port: number): Promise<boolean> {
  return (await probe(channel, port, PROBE_MILLISECONDS)).alive;
}

function inUse({ channel, record }: PlannedForward, holder: string): string {
  return `local ${CHANNEL_TITLES[channel]} port ${record.localPort} is already in use by ${holder}`;
}

const logOf = ({ record, path }: PlannedForward): string => record.logPath ?? logPathOf(path);

function resultOf(forward: PlannedForward): Pick<ChannelResult, 'localPort' | 'logPath'> {
  return { localPort: forward.record.localPort, logPath: logOf(forward) };
}

function failed(forward: PlannedForward, message: string): ChannelResult {
  return { ...resultOf(forward), outcome: 'failed', message };
}
