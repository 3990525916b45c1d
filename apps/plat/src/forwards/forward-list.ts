import type { EnvironmentName } from '@plat/environments';
import {
  type Channel,
  type ForwardRecord,
  type ForwardStatus,
  forwardStatus,
  holdersOfPort,
  isForward,
  keptForwards,
  logPathOf,
  probe,
  readProcess,
  readRecord,
  recordPath,
  type RunningProcess,
  startOf,
} from '@plat/forwards';

/** Milliseconds after which a forward counts as not answering in a list. */
const PROBE_MILLISECONDS = 2_000;

/**
 * - alive: its process has the port, and the channel answers through it
 * - silent: its process has the port, and nothing answers through it
 * - ended: no process has the port
 * - foreign: another process has the port
 * - unreadable: its file is no record
 */
export type ForwardState = 'alive' | 'silent' | 'ended' | 'foreign' | 'unreadable';

/** A forward of which this machine keeps a record or a log. */
export interface ListedForward extends EnvironmentName, ForwardStatus {
  channel: Channel;
  state: ForwardState;
  /** Why it is in this state, where the state alone does not say it. */
  why?: string | undefined;
  localPort?: number | undefined;
  processId?: number | undefined;
  /** Since when its process runs, as an ISO time. */
  since?: string | undefined;
  logPath: string;
}

/** The recorded forwards, each examined now. */
export async function listForwards(
  configFolder: string,
  isMeant: (name: EnvironmentName) => boolean = () => true,
): Promise<ListedForward[]> {
  const kept = (await keptForwards(configFolder)).filter(({ name }) => isMeant(name));
  return Promise.all(kept.map(({ name, channel }) => examineForward(configFolder, name, channel)));
}

/** The state of a channel's forward. */
export async function examineForward(
  configFolder: string,
  name: EnvironmentName,
  channel: Channel,
): Promise<ListedForward> {
  const path = recordPath(configFolder, name, channel);
  const { record } = await readRecord(path);
  const logPath = logPathOf(path);
  const { tenant, environment } = name;
  const of = { tenant, environment, channel, logPath };
  if (record === undefined) return { ...of, state: 'unreadable', ...(await forwardStatus(logPath)) };
  const { localPort } = record;
  // The probe is a connection, too, whose result is then in the log.
  const state = await stateOf(record, channel);
  return { ...of, localPort, ...state, ...(await forwardStatus(logPath)) };
}

async function stateOf(record: ForwardRecord, channel: Channel) {
  const [holder] = await holdersOfPort(record.localPort);
  if (holder === undefined) return { state: 'ended' as const };
  const { process: running, name } = holder;
  if (running === undefined || !isForward(running.argv)) return { state: 'foreign' as const, why: name };
  const { alive, why } = await probe(channel, record.localPort, PROBE_MILLISECONDS);
  const ofProcess = { processId: running.pid, since: await startOf(running.pid) };
  return alive ? { ...ofProcess, state: 'alive' as const } : { ...ofProcess, state: 'silent' as const, why };
}

/** The recorded process of a forward if it still runs as one. */
export async function runningForward({ processId }: ForwardRecord): Promise<RunningProcess | undefined> {
  const found = processId === undefined ? undefined : await readProcess(processId);
  return found !== undefined && isForward(found.argv) ? found : undefined;
}
