import type { GateRun } from '@plat/api-client';
import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { type Cluster, openCluster } from '../cluster/cluster';
import { expectContext } from '../cluster/contexts';
import { planStops, stopForwards, type StoppedForward } from '../forwards/stop-forwards';
import { planRevocation, revokeEnvironmentSession } from '../session/revoke-environment-session';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableText } from '../terminal/printable';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import { type DrivenEnvironment, freeSlots, planFreeing } from './driven-reviews';
import { forgetEnvironment, planForgetting } from './forget-environment';
import {
  deleteRecord,
  type PlatformRecord,
  readRecord,
  requireOwnRecord,
  requireUnusedRecord,
} from './platform-record';

/** kubectl waits until the namespace is gone, which takes as long as its pods take to end. */
const NAMESPACE_SECONDS_MAX = 600;

/** The refusals of a record that is another environment's. */
const OF_ANOTHER = ['FOREIGN_RECORD', 'RECORD_IN_USE'];

/** The result of a deletion. */
export interface DeletedEnvironment extends EnvironmentName {
  namespace: string;
  kubernetesContext: string;
  /** Whether the context's cluster had the namespace. */
  namespaceFound: boolean;
  /** Whether the record of its public names was removed; false also where the project names no platform. */
  unexposed: boolean;
  /** Why its public names may be left. */
  exposureNote?: string | undefined;
  /** Whether the platform had a record of it, which is deleted in the background. */
  unregistered: boolean;
  /** Why the platform's record was not deleted; absent if it was, or if the environment was never registered. */
  recordNote?: string | undefined;
  /** The reviews that its drives gated, and that are back in their queues. */
  requeued: string[];
  /** A line for each review that may still hold its slot. */
  slotNotes?: string[] | undefined;
  /** Whether the identity provider confirmed the end of its session. */
  sessionRevoked: boolean;
  /** The forwards that ran. */
  forwards: StoppedForward[];
  /** Files and folders of this machine. */
  removed: string[];
}

/** The removal of the environment's public names, which fails no deletion. */
export interface ExposureRemoval {
  /** The lines of a dry run; empty where the project names no platform. */
  plan(): Promise<string[]>;
  /** @throws only what stops the whole command */
  remove(): Promise<Pick<DeletedEnvironment, 'unexposed' | 'exposureNote'>>;
}

/** Where the environment is deleted, and what it works on; both are shown before anyone is asked. */
export interface Deletion {
  kubernetesContext: string;
  /** The running gate runs of its drives. */
  drives: readonly GateRun[];
}

export interface DeleteInput extends DrivenEnvironment {
  configFolder: string;
  stateFolder: string;
  /** Where earlier clients kept the records of forwards. */
  cacheFolder: string;
  exposure: ExposureRemoval;
  progress: Progress;
}

/**
 * Deletes an environment: the namespace, its public names (best effort), the platform's record, the session, the forwards, then what this machine keeps of it. The
 * platform is asked for the record first, because an alias that does not work must not be found out after the namespace
 * is gone. A cluster or platform that fails stops it before anything local is touched, so that the same command
 * completes it.
 * Rule H11.
 *
 * @throws Failure CONTEXT_NOT_FOUND, CLUSTER_UNREACHABLE and others of kubectl; NAMESPACE_REMAINS; those of the platform
 */
export async function deleteEnvironment(
  input: DeleteInput,
  { kubernetesContext, drives }: Deletion,
): Promise<DeletedEnvironment> {
  const { chosen, configFolder, stateFolder, cacheFolder, progress, interrupted } = input;
  const { name } = chosen;
  const namespace = namespaceOf(name);
  const { record, recordNote } = await progress('Asking the platform', recordOf(input));
  const cluster = openCluster({ context: kubernetesContext }, interrupted);
  const namespaceFound = await progress(
    `Deleting namespace ${namespace}`,
    deleteNamespace(cluster, namespace),
  );
  const { requeued, notes } = await freeSlots(input, drives);
  const removal = await input.exposure.remove();
  const unregistered =
    record !== undefined && (await progress('Deleting it on the platform', deleteRecord(record)));
  const sessionRevoked = await progress('Ending its session', revokeEnvironmentSession(configFolder, name));
  interrupted.throwIfAborted();
  const ending = stopForwards({ configFolder, name }, cacheFolder);
  const forwards = await progress('Ending its forwards', ending);
  const removed = await forgetEnvironment({ configFolder, stateFolder }, name);
  return {
    ...name,
    namespace,
    kubernetesContext,
    namespaceFound,
    ...removal,
    unregistered,
    recordNote,
    requeued,
    slotNotes: notes.length === 0 ? undefined : notes,
    sessionRevoked,
    forwards,
    removed,
  };
}

/**
 * The context in which the environment is deleted, determined before the user is asked.
 *
 * @param unasked with --yes: refuses the current context of the kubeconfig, because no user sees which one it is
 * @throws Failure CONTEXT_NOT_CONFIGURED; CONTEXT_NOT_FOUND and others of kubectl
 */
export async function deletionContext(
  { chosen: { name, config }, interrupted }: DeleteInput,
  unasked: boolean,
): Promise<string> {
  const context = await expectContext(config.kubernetesContext, interrupted);
  if (config.kubernetesContext !== undefined || !unasked) return context;
  const { tenant, environment } = name;
  throw new Failure(
    'CONTEXT_NOT_CONFIGURED',
    `The configuration of ${tenant} ${environment} names no context, and ${context} is only the current one; nothing is deleted.`,
    {
      details: { currentContext: context },
      next: nextStep(
        'plat config set kubernetesContext <context> --tenant',
        [tenant],
        '--environment',
        [environment],
        ', then repeat the command',
      ),
    },
  );
}

/** The steps of a dry run. */
export async function planDelete(
  input: DeleteInput,
  { kubernetesContext, drives }: Deletion,
): Promise<string[]> {
  const { chosen, configFolder, stateFolder, interrupted } = input;
  const { name } = chosen;
  const { kubectl } = openCluster({ context: kubernetesContext }, interrupted);
  return [
    shellQuote(kubectl.argv(namespaceArgs(namespaceOf(name)))),
    ...(await planFreeing(input, drives)),
    ...(await input.exposure.plan()),
    ...(await planRecord(input)),
    ...(await planRevocation(configFolder, name)),
    ...(await planStops({ configFolder, name })),
    ...(await planForgetting({ configFolder, stateFolder }, name)),
  ];
}

/**
 * The record that is to be deleted with the environment. One that the platform does not know, or that is another
 * environment's, stays, and the note gives the reason.
 *
 * @throws Failure those of the platform; CONFIG_UNREADABLE
 */
async function recordOf(input: DeleteInput): Promise<{ record?: PlatformRecord; recordNote?: string }> {
  const { name, config } = input.chosen;
  const { environmentId } = config;
  if (environmentId === undefined) return {};
  const platform = await input.platform();
  const { found } = await readRecord(platform, environmentId);
  if (found === undefined) {
    return {
      recordNote: `The platform at ${platform.alias.apiUrl} does not know the environment ${environmentId}.`,
    };
  }
  const recordNote = await noteUnlessOwn(async () => {
    requireOwnRecord(name, found);
    await requireUnusedRecord(input.configFolder, name, environmentId);
  });
  return recordNote === undefined ? { record: { environmentId, platform, found } } : { recordNote };
}

/** The line of a dry run, which does not ask the platform. */
async function planRecord({ chosen, configFolder, platform }: DeleteInput): Promise<string[]> {
  const { environmentId } = chosen.config;
  if (environmentId === undefined) return [];
  const note = await noteUnlessOwn(() => requireUnusedRecord(configFolder, chosen.name, environmentId));
  if (note !== undefined) return [note];
  return [(await platform()).plannedCall('deleteEnvironment', { environment_id: environmentId })];
}

/** @returns why the record stays; undefined if the check has not found that it is another environment's */
async function noteUnlessOwn(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || !OF_ANOTHER.includes(error.code)) throw error;
    return `${error.message} It stays.`;
  }
}

/**
 * kubectl's exit code alone is no proof: the namespace is gone if the cluster does not have it any more.
 *
 * @returns whether the cluster had it
 */
async function deleteNamespace({ kubectl, target }: Cluster, namespace: string): Promise<boolean> {
  const look = ['get', 'namespace', namespace, '--ignore-not-found', '--output', 'name'];
  const isThere = async () => (await kubectl.run(look)).trim() !== '';
  const wasThere = await isThere();
  const said = await kubectl.run(namespaceArgs(namespace), { deadlineSeconds: NAMESPACE_SECONDS_MAX });
  if (!(await isThere())) return wasThere;
  const message = `The namespace ${namespace} is still in ${target.context}, although kubectl reported no failure.`;
  throw new Failure('NAMESPACE_REMAINS', message, {
    details: { namespace, kubernetesContext: target.context, said: printableText(said.trim()) },
    next: nextStep(kubectl.argv(['describe', 'namespace', namespace]), 'shows it; then repeat the command'),
  });
}

function namespaceArgs(namespace: string): string[] {
  return ['delete', 'namespace', namespace, '--ignore-not-found'];
}
