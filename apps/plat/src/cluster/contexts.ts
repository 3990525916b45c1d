import { nearest } from '@plat/local';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { clusterFailure } from './cluster-failure';
import { runTool } from './run-tool';

/** `config view` reads files only. */
const DEADLINE_SECONDS = 30;

/** The contexts of the kubeconfig, which kubectl finds by its own rules (KUBECONFIG, ~/.kube/config). */
export interface KubeContexts {
  /** The one that counts if none is named; undefined if the kubeconfig names none. */
  current?: string;
  /** Sorted. */
  names: string[];
}

/** @throws Failure PROGRAM_MISSING, KUBECONFIG_UNREADABLE, KUBECTL_FAILED, CLUSTER_TIMED_OUT */
export async function readContexts(interrupted?: AbortSignal): Promise<KubeContexts> {
  const argv = ['kubectl', 'config', 'view', '--output', 'json'] as const;
  const answer = await runTool({ argv: [...argv], deadlineSeconds: DEADLINE_SECONDS, interrupted });
  if (answer.code !== 0) throw clusterFailure([...argv], answer);
  const view = parsedView(answer.stdout);
  return {
    current: view['current-context'] || undefined,
    names: (view.contexts ?? []).map(({ name }) => name).sort(),
  };
}

/** The answer of `config view`, as far as it is read. */
interface KubeconfigView {
  'current-context'?: string;
  contexts?: ReadonlyArray<{ name: string }> | null;
}

/** @throws Failure KUBECTL_FAILED: a wrapper around kubectl may print anything */
function parsedView(text: string): KubeconfigView {
  try {
    return JSON.parse(text) as KubeconfigView;
  } catch {
    throw new Failure('KUBECTL_FAILED', 'kubectl config view --output json did not answer JSON.', {
      next: 'run that command, correct what it prints besides its answer, then repeat this one',
    });
  }
}

/**
 * Checks that a context exists, without a call to its cluster.
 *
 * @param name default: the kubeconfig's current context
 * @returns the context's name
 * @throws Failure CONTEXT_NOT_FOUND, with the contexts that exist; those of readContexts
 */
export async function expectContext(name: string | undefined, interrupted?: AbortSignal): Promise<string> {
  const { current, names } = await readContexts(interrupted);
  const wanted = name ?? current;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const existing = names.length === 0 ? 'It has no contexts' : `It has: ${names.join(', ')}`;
  const message =
    wanted === undefined
      ? `The kubeconfig names no current context. ${existing}.`
      : `The kubeconfig has no context ${wanted}. ${existing}.`;
  throw new Failure('CONTEXT_NOT_FOUND', message, {
    details: { context: wanted, contexts: names },
    next: contextStep(wanted, names),
  });
}

function contextStep(wanted: string | undefined, names: readonly string[]): NextStep {
  if (names.length === 0) {
    return nextStep('set KUBECONFIG to the file of your cluster, then repeat the command');
  }
  const meant = wanted === undefined ? undefined : nearest(wanted, names);
  if (meant !== undefined) return nextStep('repeat the command with the context', [meant]);
  return nextStep('name one of these contexts, or choose it by kubectl config use-context');
}
