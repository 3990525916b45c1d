import {
  type Channel,
  type ForwardRecord,
  isDaemon,
  isForwardTo,
  isSameForward,
  matchOf,
  type PortHolder,
  probe,
  readProcess,
  readRecord,
  type RunningProcess,
} from '@plat/forwards';
import { portOwner } from './port-owner';
import { targetOf, type WantedForward } from './wanted-forward';

/** Longest wait for an answer through a forward; a cluster may be on another continent. */
export const PROBE_MILLISECONDS = 5000;

/** The step to take for a channel, found without any change. */
export type ForwardStep =
  /** Not recorded: `plat` was killed before it wrote the process id. */
  | { step: 'reuse'; process: RunningProcess; isRecorded: boolean }
  | { step: 'adopt'; process: RunningProcess }
  /** With the reason why it is not left as it is. */
  | { step: 'replace'; process: RunningProcess; why: string }
  | { step: 'refuse'; message: string }
  /** With the forward of the record that is replaced, if the environment had another port then: nothing else names it. */
  | { step: 'start'; former?: RunningProcess | undefined };

/**
 * Determines the step of a channel, in the contract's order. Rule H8.
 *
 * The holder of the port decides: one that is not this forward is refused, whatever it answers. The forward is reused if
 * its record is the wanted one and it answers, adopted if only its record is not, and replaced if it does not answer or
 * is the client's own to another context; a person's kubectl to another context is any other holder. A
 * recorded process is replaced by the same rule, since only a process that matches may be signalled (Rule H9).
 */
export async function forwardStep(wanted: WantedForward): Promise<ForwardStep> {
  const { channel, path, record, target } = wanted;
  const { record: found, isLegacy } = await readRecord(path);
  const isOurs = found !== undefined && isSameForward(found, record) && !isLegacy;
  const processId = found?.processId;
  const { holders, forward: process } = await portOwner({ localPort: record.localPort, processId }, target);
  if (holders.length === 0) return { step: 'start', former: await formerForward(wanted, found) };
  if (process === undefined) return { step: 'refuse', message: inUse(wanted, holders) };
  const elsewhere = otherContext(process, wanted);
  if (elsewhere !== undefined && !isDaemon(process.argv)) {
    return { step: 'refuse', message: inUse(wanted, holders) };
  }
  if (elsewhere !== undefined) {
    return { step: 'replace', process, why: `it leads to the context ${elsewhere}` };
  }
  if (isLegacy) return { step: 'replace', process, why: 'an earlier client started it' };
  const { alive, why = 'it does not answer' } = await probe(channel, record.localPort, PROBE_MILLISECONDS);
  if (!alive) return { step: 'replace', process, why };
  return isOurs
    ? { step: 'reuse', process, isRecorded: process.pid === processId }
    : { step: 'adopt', process };
}

/** The context that a forward leads to, if that is another than the wanted one. kubectl's may be unknown. */
function otherContext({ argv }: RunningProcess, { target, record }: WantedForward): string | undefined {
  const context = matchOf(argv, target)?.context;
  return context === record.kubernetesContext ? undefined : context;
}

/** The process of a record with another port than the wanted one, if it is that record's forward. */
async function formerForward(
  { channel, record }: WantedForward,
  found: ForwardRecord | undefined,
): Promise<RunningProcess | undefined> {
  if (found?.processId === undefined || found.localPort === record.localPort) return undefined;
  // A record of other names was put here by hand.
  if (found.tenant !== record.tenant || found.environment !== record.environment) return undefined;
  const process = await readProcess(found.processId);
  return process !== undefined && isForwardTo(process, targetOf(channel, found)) ? process : undefined;
}

/** Rule H8. */
export function inUse(
  { channel, record }: { channel: Channel; record: Pick<ForwardRecord, 'localPort'> },
  holders: readonly PortHolder[],
): string {
  const names = [...new Set(holders.map(({ name }) => name))].join(', ');
  return `local ${channel} port ${record.localPort} is already in use by ${names}`;
}
