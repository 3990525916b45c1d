import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { openCluster } from '../cluster/cluster';
import { expectContext, readContexts } from '../cluster/contexts';
import { readEnvConfig } from '../config/config-check';
import { readConfiguredNames } from '../config/config-scope';
import { requirePorts } from '../environments/port-allocation';
import { isOutdated, readEnvironmentSession } from '../session/environment-session';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { type Check, Undecided } from './examination';

/** Longest wait for the cluster's answer about the access. */
const ACCESS_SECONDS_MAX = 10;

/** The places that the checks of environments look at. */
export interface EnvironmentSurroundings {
  configFolder: string;
  /** The folder of the client's package. */
  clientRoot: string;
}

/**
 * Checks the needs of environments: the programs, the kubeconfig, the chart, then each environment by itself. Before the first
 * environment nothing needs them yet, so that a fault is what `plat init` would meet, and no failure; then the cluster
 * is asked for the access that `plat init` needs.
 */
export async function environmentChecks({
  configFolder,
  clientRoot,
}: EnvironmentSurroundings): Promise<Check[]> {
  const { environments } = await readConfiguredNames(configFolder);
  const needed: Check[] = [
    { name: 'kubectl', look: kubectlVersion },
    { name: 'helm', look: helmVersion },
    { name: 'kubeconfig', look: contexts },
    { name: 'chart', look: () => chart(clientRoot) },
  ];
  if (environments.length === 0) return [...needed, { name: 'cluster', look: clusterAccess }].map(beforeInit);
  return [
    ...needed,
    ...environments.map((name) => ({
      name: namespaceOf(name),
      look: () => environment(configFolder, name),
    })),
  ];
}

/** Reports a fault as what keeps `plat init` from making an environment. */
function beforeInit({ name, look }: Check): Check {
  return {
    name,
    look: async () => {
      try {
        return await look();
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof Undecided) throw error;
        throw new Undecided(`${error.message} Only plat init needs it.`, { next: error.next });
      }
    },
  };
}

/** Whether the current context lets the person create the namespace of an environment. */
async function clusterAccess(): Promise<string | undefined> {
  // The checks before this one report a kubectl or kubeconfig that is missing.
  const current = (await readContexts().catch(() => undefined))?.current;
  if (current === undefined) return undefined;
  const args = ['auth', 'can-i', 'create', 'namespaces'];
  const { stdout, stderr } = await openCluster({ context: current }).kubectl.try(args, {
    deadlineSeconds: ACCESS_SECONDS_MAX,
  });
  const answer = stdout.trim();
  if (answer === 'yes') return `the context ${current} lets you create namespaces`;
  if (answer === 'no') {
    throw new Undecided(`The context ${current} does not let you create namespaces, which plat init does.`, {
      next: nextStep(
        'ask the administrator of the cluster, or name another context: plat init --kubernetes-context',
      ),
    });
  }
  const why = printableLine(stderr.trim().split('\n').at(-1) ?? '');
  throw new Undecided(`The cluster of the context ${current} does not say what you may do: ${why}`, {
    next: nextStep('kubectl --context', [current], 'get namespaces'),
  });
}

async function kubectlVersion(): Promise<string> {
  const text = await openCluster({}).kubectl.run(['version', '--client', '--output', 'json']);
  const { clientVersion } = JSON.parse(text) as { clientVersion?: { gitVersion?: string } };
  return clientVersion?.gitVersion ?? 'answers';
}

async function helmVersion(): Promise<string> {
  const version = (await openCluster({}).helm.run(['version', '--short'])).trim();
  if (/^v[34]\./.test(version)) return version;
  throw new Failure('HELM_UNSUPPORTED', `helm reports the version ${version}; 3 and 4 are supported.`, {
    next: 'install helm 3 or 4 (https://helm.sh/docs/intro/install/)',
  });
}

async function contexts(): Promise<string> {
  const { current, names } = await readContexts();
  // Refuses a kubeconfig without any.
  if (names.length === 0) await expectContext(undefined);
  const count = names.length === 1 ? '1 context' : `${names.length} contexts`;
  return current === undefined ? count : `${count}, the current one is ${current}`;
}

async function chart(clientRoot: string): Promise<string> {
  const path = join(clientRoot, 'chart', 'Chart.yaml');
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return path;
  throw new Failure('CHART_MISSING', `The package of this client lacks ${path}.`, {
    next: 'install plat again',
  });
}

/** The environment's file, context, ports and session. Calls no cluster. */
async function environment(configFolder: string, name: EnvironmentName): Promise<string> {
  const { config } = await readEnvConfig(configFolder, name);
  const context = await expectContext(config.kubernetesContext);
  const { start, end } = await requirePorts(configFolder, name);
  const session = await readEnvironmentSession(configFolder, name);
  const place = `context ${context}, ports ${start}-${end}`;
  const next = nextStep('plat cloud login, then plat init', [name.tenant, name.environment]);
  if (session !== undefined) {
    if (await isOutdated(configFolder, session)) {
      throw new Undecided(`${place}, but it shares a session that this machine no longer has.`, { next });
    }
    return `${place}, session of ${session.subject ?? 'you'} on ${session.alias.name}`;
  }
  throw new Undecided(`${place}, but no session: it can build and not report.`, {
    next,
  });
}
