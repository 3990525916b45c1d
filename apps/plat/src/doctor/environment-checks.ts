import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { openCluster } from '../cluster/cluster';
import { expectContext, readContexts } from '../cluster/contexts';
import { readEnvConfig } from '../config/config-check';
import { configuredNames } from '../config/config-scope';
import { requirePorts } from '../environments/port-allocation';
import { isOutdated, readEnvironmentSession } from '../session/environment-session';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type Check, Undecided } from './examination';

/** The folders that the checks of environments examine. */
export interface EnvironmentSurroundings {
  configFolder: string;
  /** The folder of the client's package. */
  clientRoot: string;
}

/**
 * Lists the checks of what environments need: the programs, the kubeconfig, the chart, then each environment by itself.
 * Without an environment nothing is needed, and the first ones are skipped.
 */
export async function environmentChecks({
  configFolder,
  clientRoot,
}: EnvironmentSurroundings): Promise<Check[]> {
  const { environments } = await configuredNames(configFolder);
  const ifAny = (look: () => Promise<string>): Check['look'] =>
    environments.length === 0 ? () => Promise.resolve(undefined) : look;
  return [
    { name: 'kubectl', look: ifAny(kubectlVersion) },
    { name: 'helm', look: ifAny(helmVersion) },
    { name: 'kubeconfig', look: ifAny(contexts) },
    { name: 'chart', look: ifAny(() => chart(clientRoot)) },
    ...environments.map((name) => ({
      name: namespaceOf(name),
      look: () => environment(configFolder, name),
    })),
  ];
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
