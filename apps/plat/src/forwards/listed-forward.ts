import { lstat } from 'node:fs/promises';
import type { EnvironmentName } from '@plat/environments';
import {
  type Channel,
  type ForwardRecord,
  forwardStatus,
  isForwardTo,
  type KeptForward,
  listKeptForwards,
  logPathOf,
  probe,
  readProcess,
  readRecord,
  recordPath,
} from '@plat/forwards';
import { inUse } from './forward-step';
import { portOwner } from './port-owner';
import { targetOf } from './wanted-forward';

/** Shorter than that of `plat open`: a list waits for the slowest. */
const PROBE_MILLISECONDS = 2000;

/**
 * `alive`: it answers. `not answering`: its process runs. `ended`: it has no process. `foreign`: another process has its
 * port. `reused id`: it has ended, and its recorded process id is that of another process now. `unreadable`: there is a
 * file, which is no record.
 */
export type ForwardState = 'alive' | 'not answering' | 'ended' | 'foreign' | 'reused id' | 'unreadable';

/** A forward of this machine. Rule H10. */
export interface ListedForward extends EnvironmentName {
  channel: Channel;
  state: ForwardState;
  localPort?: number | undefined;
  /** The id of the process that is the forward now; otherwise the recorded one. */
  processId?: number | undefined;
  kubernetesContext?: string | undefined;
  /** When its state file was last written. */
  recordedAt?: string | undefined;
  /** When a connection to the pod was last opened. */
  lastSuccess?: { at: string } | undefined;
  lastError?: { at: string; message: string } | undefined;
  logPath: string;
  /** Why it is not alive. */
  message?: string | undefined;
}

/** Every forward of which this machine has a state file, by channel and name. Changes nothing. */
export async function listForwards(configFolder: string): Promise<ListedForward[]> {
  const kept = await listKeptForwards(configFolder);
  const listed = await Promise.all(kept.map((one) => describeForward(configFolder, one)));
  return listed.filter((one) => one !== undefined);
}

/** @returns undefined if only a log is left */
async function describeForward(
  configFolder: string,
  { name, channel }: KeptForward,
): Promise<ListedForward | undefined> {
  const path = recordPath(configFolder, name, channel);
  const written = await lstat(path).catch(() => undefined);
  if (written === undefined) return undefined;
  const logPath = logPathOf(path);
  const [{ record }, status] = await Promise.all([readRecord(path), forwardStatus(logPath)]);
  const about = { tenant: name.tenant, environment: name.environment, channel, logPath, ...status };
  const recordedAt = written.mtime.toISOString();
  if (record === undefined || record.tenant !== name.tenant || record.environment !== name.environment) {
    return { ...about, state: 'unreadable', recordedAt, message: `${path} is no record of this forward` };
  }
  const { localPort, kubernetesContext, processId } = record;
  return {
    ...about,
    localPort,
    kubernetesContext,
    processId,
    recordedAt,
    ...(await probeForward(channel, record)),
  };
}

async function probeForward(
  channel: Channel,
  record: ForwardRecord,
): Promise<Pick<ListedForward, 'state' | 'processId' | 'message'>> {
  const { localPort, processId } = record;
  const target = targetOf(channel, record);
  const { holders, forward } = await portOwner(record, target);
  if (forward !== undefined) {
    const { alive, why } = await probe(channel, localPort, PROBE_MILLISECONDS);
    return { state: alive ? 'alive' : 'not answering', processId: forward.pid, message: why };
  }
  if (holders.length > 0) {
    return { state: 'foreign', processId, message: inUse({ channel, record }, holders) };
  }
  const recorded = processId === undefined ? undefined : await readProcess(processId);
  if (recorded === undefined) return { state: 'ended', processId };
  return isForwardTo(recorded, target)
    ? { state: 'not answering', processId, message: `process ${processId} does not listen on ${localPort}` }
    : { state: 'reused id', processId, message: `process ${processId} is not this forward` };
}
