import type { EnvironmentName } from '@plat/environments';
import {
  type Channel,
  CHANNELS,
  type ForwardRecord,
  isForwardTo,
  moveFromCache,
  readProcess,
  readRecord,
  recordPath,
  type RunningProcess,
  stopForward,
  withChannelLock,
} from '@plat/forwards';
import { portOwner } from './port-owner';
import { targetOf } from './wanted-forward';

/** The forwards of an environment of this machine. */
export interface ForwardsOf {
  configFolder: string;
  name: EnvironmentName;
  /** Default: all. */
  channels?: readonly Channel[] | undefined;
}

/** A forward that ran. */
export interface StoppedForward {
  channel: Channel;
  processId: number;
  localPort: number;
  /** False: it is not this user's, or the system does not end it. */
  ended: boolean;
}

/**
 * Ends the recorded forwards of an environment; their state files stay, for diagnosis. A process is ended only if its
 * argv is that of the recorded forward. Rules G11, H9, H10.
 */
export async function stopForwards(
  { configFolder, name, channels = CHANNELS }: ForwardsOf,
  cacheFolder: string,
): Promise<StoppedForward[]> {
  await moveFromCache({ cacheFolder, configFolder }, name);
  const stopped = await Promise.all(
    channels.map(async (channel) => {
      const { record } = await readRecord(recordPath(configFolder, name, channel));
      if (record === undefined) return [];
      return withChannelLock(configFolder, { name, channel }, () => stopChannel(configFolder, name, channel));
    }),
  );
  return stopped.flat();
}

async function stopChannel(
  configFolder: string,
  name: EnvironmentName,
  channel: Channel,
): Promise<StoppedForward[]> {
  const running = await findRunningForward(configFolder, name, channel);
  if (running === undefined) return [];
  const { process, record } = running;
  const ended = await stopForward(process);
  return [{ channel, processId: process.pid, localPort: record.localPort, ended }];
}

/** The forwards that would be ended. Changes nothing. */
export async function findRunningForwards({ configFolder, name, channels = CHANNELS }: ForwardsOf) {
  const found = await Promise.all(
    channels.map(async (channel) => {
      const running = await findRunningForward(configFolder, name, channel);
      return running === undefined ? [] : [{ channel, ...running }];
    }),
  );
  return found.flat();
}

/** The lines of a dry run for the forwards that would be ended. Rule G2. */
export async function planStops(forwards: ForwardsOf): Promise<string[]> {
  return (await findRunningForwards(forwards)).map(
    ({ channel, process }) => `forward ${channel}: process ${process.pid} is ended`,
  );
}

/** The process of a recorded forward: the recorded one, or the holder of its port. */
async function findRunningForward(
  configFolder: string,
  name: EnvironmentName,
  channel: Channel,
): Promise<{ process: RunningProcess; record: ForwardRecord } | undefined> {
  const { record } = await readRecord(recordPath(configFolder, name, channel));
  // A record of other names was put here by hand.
  if (record === undefined || record.tenant !== name.tenant || record.environment !== name.environment) {
    return undefined;
  }
  const target = targetOf(channel, record);
  const recorded = record.processId === undefined ? undefined : await readProcess(record.processId);
  if (recorded !== undefined && isForwardTo(recorded, target)) return { process: recorded, record };
  const { forward } = await portOwner(record, target);
  return forward === undefined ? undefined : { process: forward, record };
}
