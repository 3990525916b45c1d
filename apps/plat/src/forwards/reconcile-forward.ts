import {
  applyCap,
  type Channel,
  forwardStatus,
  probe,
  readProcess,
  type RunningProcess,
  stopForward,
  withChannelLock,
  writeRecord,
} from '@plat/forwards';
import { forwardStep, PROBE_MILLISECONDS } from './forward-step';
import { forwardArgv, startForward } from './start-forward';
import type { WantedForward } from './wanted-forward';

/** The result of opening a channel. Rule H8. */
export interface OpenedChannel {
  outcome: 'reused' | 'adopted' | 'started' | 'failed';
  localPort: number;
  processId?: number | undefined;
  logPath: string;
  /** Why it failed, or does not answer yet. */
  message?: string | undefined;
}

/** The inputs of a reconciliation, in addition to the forward. */
export interface Reconciliation {
  /** The program of a forward. */
  program: string;
  /** Whether the cluster has the Service; asked only about one through which nothing answers. */
  hasService(service: string): Promise<boolean>;
  interrupted: AbortSignal;
}

/** The origin of the Service of a channel, in words. Spec: Client, Exposure plan. Rule H5. */
const BROUGHT_BY: Readonly<Record<Channel, string>> = {
  mcp: 'plat deploy brings it',
  sshd: 'plat deploy brings it',
  api: 'the chart of an API of its own brings it, not plat deploy',
};

/** A port may be taken by another process after it was found free, and a stopped forward leaves it free. */
const LOOKS_MAX = 4;

/**
 * Brings about the forward of a channel, while no other process works on it. Best effort: a failure is an outcome.
 * Rule H8.
 *
 * @throws the reason of `interrupted`
 */
export async function reconcileForward(
  wanted: WantedForward,
  reconciliation: Reconciliation,
): Promise<OpenedChannel> {
  const { configFolder, channel, record } = wanted;
  const { tenant, environment } = record;
  try {
    const { interrupted } = reconciliation;
    const place = { name: { tenant, environment }, channel, interrupted };
    return await withChannelLock(configFolder, place, () => reconcileChannel(wanted, reconciliation));
  } catch (error) {
    reconciliation.interrupted.throwIfAborted();
    return failed(wanted, error instanceof Error ? error.message : String(error));
  }
}

async function reconcileChannel(
  wanted: WantedForward,
  reconciliation: Reconciliation,
): Promise<OpenedChannel> {
  for (let look = 1; ; look += 1) {
    reconciliation.interrupted.throwIfAborted();
    const step = await forwardStep(wanted);
    switch (step.step) {
      case 'reuse':
        return keepForward(wanted, step.process, step.isRecorded ? 'reused' : 'found');
      case 'adopt':
        return keepForward(wanted, step.process, 'adopted');
      case 'refuse':
        return failed(wanted, step.message);
      case 'replace':
        if (look >= LOOKS_MAX || !(await stopForward(step.process))) {
          return failed(wanted, `process ${step.process.pid} has the port and does not end: ${step.why}`);
        }
        break;
      case 'start': {
        if (step.former !== undefined) await stopForward(step.former);
        const opened = await startWanted(wanted, reconciliation);
        // Taken after it was found free: its holder decides now.
        if (opened !== 'taken') return opened;
        if (look >= LOOKS_MAX) {
          return failed(
            wanted,
            `local ${wanted.channel} port ${wanted.record.localPort} was taken meanwhile`,
          );
        }
      }
    }
  }
}

/** Spec: Client, Log retention and cleanup, rule 2. @param how `found`: it is reused, and its record corrected */
async function keepForward(
  { record, path }: WantedForward,
  process: RunningProcess,
  how: 'reused' | 'found' | 'adopted',
): Promise<OpenedChannel> {
  const { localPort, logPath } = record;
  if (how !== 'reused') await writeRecord(path, { ...record, processId: process.pid });
  applyCap(logPath);
  const outcome = how === 'adopted' ? 'adopted' : 'reused';
  return { outcome, localPort, processId: process.pid, logPath };
}

async function startWanted(
  wanted: WantedForward,
  { program, hasService, interrupted }: Reconciliation,
): Promise<OpenedChannel | 'taken'> {
  const { channel, record, path, target } = wanted;
  const { localPort, logPath } = record;
  // The process reads tenant, environment and log from it.
  await writeRecord(path, record);
  const result = await startForward(forwardArgv(program, wanted), interrupted);
  if ('code' in result) return result.code === 'EADDRINUSE' ? 'taken' : failed(wanted, result.message);
  await writeRecord(path, { ...record, processId: result.pid });
  const { alive, why } = await probe(channel, localPort, PROBE_MILLISECONDS);
  const outcome = { outcome: 'started', localPort, processId: result.pid, logPath } as const;
  if (alive) return outcome;
  const { lastError } = await forwardStatus(logPath);
  const message = lastError?.message ?? why;
  if (await hasService(target.service)) return { ...outcome, message: `does not answer yet: ${message}` };
  const process = await readProcess(result.pid);
  if (process !== undefined) await stopForward(process);
  await writeRecord(path, record);
  return failed(
    wanted,
    `namespace ${target.namespace} has no Service ${target.service}; ${BROUGHT_BY[channel]}`,
  );
}

function failed({ record: { localPort, logPath } }: WantedForward, message: string): OpenedChannel {
  return { outcome: 'failed', localPort, logPath, message };
}
