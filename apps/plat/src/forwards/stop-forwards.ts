import type { EnvironmentName } from '@plat/environments';
import {
  type Channel,
  CHANNEL_TITLES,
  CHANNELS,
  readRecord,
  recordPath,
  removeForwardFiles,
  stopForward,
  withChannelLock,
} from '@plat/forwards';
import { runningForward } from './forward-list';

/** A forward that was to be stopped. */
export interface StoppedForward extends EnvironmentName {
  channel: Channel;
  /** Of the process that has ended; undefined if none ran. */
  processId?: number | undefined;
  /** Why the recorded process still runs. */
  message?: string | undefined;
}

export interface ForwardsOf {
  configFolder: string;
  name: EnvironmentName;
  /** Default: all. */
  channels?: readonly Channel[];
}

/** The running processes of an environment's recorded forwards. */
export async function recordedProcesses({ configFolder, name, channels = CHANNELS }: ForwardsOf) {
  const found = await Promise.all(
    channels.map(async (channel) => {
      const { record } = await readRecord(recordPath(configFolder, name, channel));
      const running = record && (await runningForward(record));
      return running === undefined ? [] : [{ channel, running }];
    }),
  );
  return found.flat();
}

/** Ends the recorded forwards of an environment; their records and logs stay. Decision H10. */
export function stopForwards({
  configFolder,
  name,
  channels = CHANNELS,
}: ForwardsOf): Promise<StoppedForward[]> {
  return Promise.all(
    channels.map((channel) =>
      withChannelLock(configFolder, { name, channel }, () =>
        stopRecorded({ configFolder, name, channels: [channel] }, channel),
      ),
    ),
  );
}

/** Ends the forwards of a deleted environment and removes their records and logs. Decision H11. @returns the removed */
export async function forgetForwards(configFolder: string, name: EnvironmentName): Promise<string[]> {
  const removed = await Promise.all(
    CHANNELS.map((channel) =>
      withChannelLock(configFolder, { name, channel }, async () => {
        await stopRecorded({ configFolder, name }, channel);
        return removeForwardFiles(configFolder, name, channel);
      }),
    ),
  );
  return removed.flat();
}

async function stopRecorded({ configFolder, name }: ForwardsOf, channel: Channel): Promise<StoppedForward> {
  const { tenant, environment } = name;
  const [recorded] = await recordedProcesses({ configFolder, name, channels: [channel] });
  if (recorded === undefined) return { tenant, environment, channel };
  const { pid } = recorded.running;
  if (await stopForward(recorded.running)) return { tenant, environment, channel, processId: pid };
  const message = `the process ${pid} of the ${CHANNEL_TITLES[channel]} forward does not end`;
  return { tenant, environment, channel, message };
}
