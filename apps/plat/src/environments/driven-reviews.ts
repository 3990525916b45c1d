import { type GateRun, listGateRuns, updateGateRun } from '@plat/api-client';
import { runtimeNames } from '@plat/environments';
import { openCluster } from '../cluster/cluster';
import { apiFailure } from '../failures/api-failure';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import type { ConfiguredEnvironment } from './chosen-environment';

/** Most characters of a pod's name that its host name keeps. */
const HOST_LENGTH_MAX = 63;
const RUNS_MAX = '200';
/** The drive or the review has ended by itself meanwhile. */
const ENDED = ['GATE_RUN_ALREADY_DECIDED', 'REVIEW_NOT_MERGING', 'NOT_FOUND'];

/** Where the drives of an environment are looked for. */
export interface DrivenEnvironment {
  chosen: ConfiguredEnvironment;
  /** Opened only if the environment is registered and has a pod. */
  platform(): Promise<Platform>;
  /** Puts a review back to its queue. @throws Failure REVIEW_NOT_MERGING */
  requeue(api: Platform['api'], reviewId: string): Promise<unknown>;
  interrupted: AbortSignal;
}

/**
 * The running gate runs of drives in the pods of an environment. A drive names its machine in the holder of its run, and
 * the machine of a pod has the pod's name.
 */
export async function findDrives(
  { chosen, platform, interrupted }: DrivenEnvironment,
  context: string,
): Promise<GateRun[]> {
  if (chosen.config.environmentId === undefined) return [];
  const { namespace } = runtimeNames(chosen.name);
  const { kubectl } = openCluster({ context, namespace }, interrupted);
  // A cluster that does not answer is reported by the deletion itself.
  const { code, stdout } = await kubectl.try(['get', 'pods', '--output', 'name']);
  const hosts = stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('pod/') ? [hostOf(line.slice(4))] : []));
  if (code !== 0 || hosts.length === 0) return [];
  const { api } = await platform();
  const { gateRuns } = await listGateRuns(api, { query: { status: 'RUNNING', limit: RUNS_MAX } });
  return gateRuns.filter(({ holder }) => hosts.some((host) => holder?.includes(`@${host}:`)));
}

const hostOf = (pod: string): string =>
  pod
    .trim()
    .slice(0, HOST_LENGTH_MAX)
    .replace(/[-.]+$/, '');

/** A sentence for the question about the deletion; empty if nothing is driven. */
export function drivenText(drives: readonly GateRun[]): string {
  const names = drives.map(({ reviewName, sourceBranch }) => JSON.stringify(reviewName ?? sourceBranch));
  if (names.length === 0) return '';
  return printableLine(`It drives ${names.join(', ')}, which goes back to its queue.`);
}

/** The calls of a dry run. */
export async function planFreeing(
  { platform }: DrivenEnvironment,
  drives: readonly GateRun[],
): Promise<string[]> {
  if (drives.length === 0) return [];
  const { plannedCall } = await platform();
  return drives.flatMap(({ gateRunId, reviewId }) => [
    plannedCall('updateGateRun', { gate_run_id: gateRunId }),
    ...(reviewId === undefined ? [] : [plannedCall('updateReviewStatus', { review_id: reviewId })]),
  ]);
}

/**
 * Reports the gate runs as inconclusive and puts their reviews back to the tail of their queues, once their drives have
 * ended. Best effort.
 *
 * @returns the reviews that left the slot, and a line for each that may still hold it
 */
export async function freeSlots(
  { platform, requeue }: DrivenEnvironment,
  drives: readonly GateRun[],
): Promise<{ requeued: string[]; notes: string[] }> {
  const requeued: string[] = [];
  const notes: string[] = [];
  if (drives.length === 0) return { requeued, notes };
  const { api } = await platform();
  for (const { gateRunId, reviewId } of drives) {
    try {
      await unlessEnded(updateGateRun(api, { gateRunId, body: { verdict: 'INCONCLUSIVE' } }));
      if (reviewId === undefined) continue;
      if ((await unlessEnded(requeue(api, reviewId))) !== undefined) requeued.push(reviewId);
    } catch (error) {
      const failure = error instanceof Failure ? error : apiFailure(error);
      if (failure === undefined || failure.code === 'INTERRUPTED') throw error;
      const next = nextStep('plat review requeue', [reviewId ?? '<review_id>']);
      notes.push(`warning: a review may still hold its slot: ${failure.message}`, `next: ${next}`);
    }
  }
  return { requeued, notes };
}

/** @returns undefined if what was to be changed has ended by itself */
async function unlessEnded<Answer>(change: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await change;
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    if (failure === undefined || !ENDED.includes(failure.code)) throw error;
    return undefined;
  }
}
