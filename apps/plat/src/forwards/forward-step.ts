import {
  type Channel,
  type ForwardRecord,
  holdersOfPort,
  isSameForward,
  matchesForward,
  type PortHolder,
  probe,
  readProcess,
  readRecord,
  type RunningProcess,
} from '@plat/forwards';
import type { WantedForward } from './wanted-forward';

/** Longest wait for an answer through a forward; a cluster may be on another continent. */
export const PROBE_MILLISECONDS = 5000;

/** What is to be done for a channel, found without any change. */
export type ForwardStep =
  /** Its process is undefined if it answers and no process of this user is seen to be it. */
  | { step: 'reuse'; process: RunningProcess | undefined; isRecorded: boolean }
  | { step: 'adopt'; process: RunningProcess }
  /** With the reason why it is not left as it is. */
  | { step: 'replace'; process: RunningProcess; why: string }
  | { step: 'refuse'; message: string }
  | { step: 'start' };

/**
 * Determines the step of a channel, in the contract's order. Decision H8.
 *
 * A forward that answers is reused if its record is the wanted one. Otherwise the holder of the port decides: a
 * port-forward that matches is adopted if it answers and replaced if it does not, and any other holder is refused. The
 * recorded process is replaced by the same rule, since only a process that matches may be signalled (Decision H9).
 */
export async function forwardStep(wanted: WantedForward): Promise<ForwardStep> {
  const { channel, path, record } = wanted;
  const { record: found, isLegacy } = await readRecord(path);
  const ask = () => probe(channel, record.localPort, PROBE_MILLISECONDS);
  const isOurs = found !== undefined && isSameForward(found, record) && !isLegacy;
  const asked = isOurs ? await ask() : undefined;
  if (asked?.alive === true) return reuse(wanted, found?.processId);
  const holders = await holdersOfPort(record.localPort);
  if (holders.length === 0) return { step: 'start' };
  const process = matching(holders, wanted);
  if (process === undefined) return { step: 'refuse', message: inUse(wanted, holders) };
  if (isLegacy) return { step: 'replace', process, why: 'an earlier client started it' };
  const { alive, why = 'it does not answer' } = asked ?? (await ask());
  return alive ? { step: 'adopt', process } : { step: 'replace', process, why };
}

/** A record whose process is not the forward, because `plat` was killed before it wrote the id, names the actual one. */
async function reuse(wanted: WantedForward, pid: number | undefined): Promise<ForwardStep> {
  const recorded = pid === undefined ? undefined : await readProcess(pid);
  if (recorded !== undefined && matchesForward(recorded.argv, wanted.target)) {
    return { step: 'reuse', process: recorded, isRecorded: true };
  }
  const actual = matching(await holdersOfPort(wanted.record.localPort), wanted);
  return { step: 'reuse', process: actual, isRecorded: false };
}

/** The holder of the port that is the wanted port-forward. */
export function matching(
  holders: readonly PortHolder[],
  { target }: Pick<WantedForward, 'target'>,
): RunningProcess | undefined {
  return holders.find(({ process }) => process !== undefined && matchesForward(process.argv, target))
    ?.process;
}

/** Decision H8. */
export function inUse(
  { channel, record }: { channel: Channel; record: Pick<ForwardRecord, 'localPort'> },
  holders: readonly PortHolder[],
): string {
  const names = [...new Set(holders.map(({ name }) => name))].join(', ');
  return `local ${channel} port ${record.localPort} is already in use by ${names}`;
}
