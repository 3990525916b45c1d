import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { parse } from 'yaml';
import { proxyOf, proxyVariables } from '@plat/local';
import { KubeconfigUnreadable } from './failures';

interface Named {
  name: string;
}

interface ClusterEntry extends Named {
  cluster?: Record<string, unknown>;
}

interface UserEntry extends Named {
  user?: Record<string, unknown> & { exec?: ExecEntry };
}

interface ExecEntry {
  apiVersion?: string;
  command?: string;
  env?: { name: string; value: string }[] | null;
  provideClusterInfo?: boolean;
}

interface Context extends Named {
  context?: { cluster?: string; user?: string };
}

interface Kubeconfig {
  clusters?: ClusterEntry[] | null;
  users?: UserEntry[] | null;
  contexts?: Context[] | null;
  'current-context'?: string;
}

/**
 * The kubeconfig of a context, merged of the files that exist, as kubectl merges them: the first entry of a name counts.
 * Without a file it is that of the pod that this process runs in.
 *
 * The client library reads one file, and knows neither `tokenFile`, nor the description of the cluster that a
 * credential plugin may ask for, nor a plugin whose path is relative to its file, nor the proxies of the environment's
 * variables. They are completed here.
 *
 * @throws KubeconfigUnreadable; its message has nothing of a file's contents
 */
export async function readKubeconfig(paths: readonly string[], context?: string): Promise<KubeConfig> {
  const documents = await Promise.all(paths.map(readDocument));
  const found = documents.filter((document) => document !== undefined);
  const config = new KubeConfig();
  if (found.length === 0) config.loadFromDefault();
  else load(config, merge(found, context));
  if (context !== undefined) config.setCurrentContext(context);
  const variables = proxyVariables();
  config.clusters = config.clusters.map((cluster) => ({
    ...cluster,
    proxyUrl: cluster.proxyUrl || proxyOf(cluster.server, variables),
  }));
  const name = config.getCurrentContext();
  if (!config.getCurrentCluster()) {
    throw new KubeconfigUnreadable(`The kubeconfig has no context ${name} with a cluster.`);
  }
  return config;
}

function load(config: KubeConfig, document: Kubeconfig): void {
  try {
    config.loadFromString(JSON.stringify(document));
  } catch {
    throw new KubeconfigUnreadable('The kubeconfig has an entry without a name or a server.');
  }
}

async function readDocument(path: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new KubeconfigUnreadable(`The kubeconfig ${path} cannot be read (${code}).`);
  }
  return absolute(parsed(text, path), dirname(path));
}

/** A parser's message quotes the line at fault, which may hold a secret. */
function parsed(text: string, path: string): Kubeconfig {
  let document: unknown;
  try {
    document = parse(text);
  } catch {
    throw new KubeconfigUnreadable(`The kubeconfig ${path} is not valid YAML.`);
  }
  if (document === null) return {};
  const isMap = typeof document === 'object' && !Array.isArray(document);
  const lists = isMap ? LISTS.map((name) => (document as Record<string, unknown>)[name]) : [undefined];
  if (!isMap || lists.some((list) => list != null && !Array.isArray(list))) {
    throw new KubeconfigUnreadable(`The kubeconfig ${path} is not a kubeconfig.`);
  }
  return document as Kubeconfig;
}

const LISTS = ['clusters', 'users', 'contexts'];

/** The document with paths that do not depend on its file's folder. */
function absolute(document: Kubeconfig, folder: string): Kubeconfig {
  const place = (path: unknown) =>
    typeof path !== 'string' || path === '' || isAbsolute(path) ? path : join(folder, path);
  const placed = (entry: Record<string, unknown> | undefined, names: string[]) =>
    entry && Object.fromEntries(Object.entries(entry).map(([k, v]) => [k, names.includes(k) ? place(v) : v]));
  return {
    ...document,
    clusters: document.clusters?.map((entry) => ({
      ...entry,
      cluster: placed(entry.cluster, ['certificate-authority']),
    })),
    users: document.users?.map((entry) => {
      const user = placed(entry.user, ['client-certificate', 'client-key', 'tokenFile']) as UserEntry['user'];
      const command = user?.exec?.command;
      // A name without a slash is looked up in PATH.
      if (!user?.exec || !command?.includes('/')) return { ...entry, user };
      return { ...entry, user: { ...user, exec: { ...user.exec, command: place(command) as string } } };
    }),
  };
}

function merge(documents: Kubeconfig[], context: string | undefined): Kubeconfig {
  const clusters = firstOfName(documents.flatMap((document) => document.clusters ?? []));
  const contexts = firstOfName(documents.flatMap((document) => document.contexts ?? []));
  const current = context ?? documents.map((document) => document['current-context']).find((name) => name);
  const chosen = contexts.find(({ name }) => name === current)?.context;
  const cluster = clusters.find(({ name }) => name === chosen?.cluster)?.cluster;
  // The other users' credentials are of no use here.
  const users = firstOfName(documents.flatMap((document) => document.users ?? []))
    .filter(({ name }) => name === chosen?.user)
    .map((entry) => ({ ...entry, user: entry.user && completed(entry.user, cluster) }));
  return { clusters, contexts, users, 'current-context': current };
}

function firstOfName<Entry extends Named>(entries: Entry[]): Entry[] {
  const byName = new Map<string, Entry>();
  for (const entry of entries) if (entry && !byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
}

/** The user in the words that the client library reads. */
function completed(user: NonNullable<UserEntry['user']>, cluster: Record<string, unknown> | undefined) {
  const { tokenFile, token, exec, ...rest } = user;
  if (tokenFile) return { ...rest, 'auth-provider': { name: 'tokenFile', config: { tokenFile } } };
  if (!exec) return { ...rest, token };
  const information = { name: 'KUBERNETES_EXEC_INFO', value: execInformation(exec, cluster) };
  return { ...rest, token, exec: { ...exec, env: [...(exec.env ?? []), information] } };
}

/** Makes the input of a credential plugin: https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
function execInformation(exec: ExecEntry, cluster: Record<string, unknown> | undefined): string {
  const { apiVersion = 'client.authentication.k8s.io/v1' } = exec;
  const spec = { interactive: false, cluster: exec.provideClusterInfo ? cluster : undefined };
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
}
