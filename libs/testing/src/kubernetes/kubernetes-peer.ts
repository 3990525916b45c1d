import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../peers/free-port';
import { peer } from '../peers/peer';
import { type ServerProcess, startServerProcess } from '../peers/server-process';
import { kubeconfigOf } from './kubeconfig';

/** A Kubernetes API server with its store and its controllers; it has no node, so nothing runs in it. */
export interface KubernetesPeer {
  /** The text of a kubeconfig for a user who may do everything, or nothing at all. */
  kubeconfig(user: 'admin' | 'stranger'): string;
  /** The name of a kubeconfig's one context. */
  context: string;
  /** Ends the API's process as a crash does, because in good order it waits a minute for those who watch. */
  crashApi(): Promise<void>;
  /** Starts the API again, on the same store, port and keys. */
  startApi(): Promise<void>;
  stop(): Promise<void>;
}

export interface KubernetesOptions {
  /** The address of the API. Default: a free port of 127.0.0.1. */
  listen?: { address: string; port: number };
  /** `removal` removes namespaces, and leaves everything else as it is; the default. */
  controllers?: 'removal' | 'all' | undefined;
}

/** Addresses of Services. The API's own is the first. */
export const SERVICE_ADDRESSES = { range: '10.0.0.0/24', api: '10.0.0.1' };

const CONTEXT = 'test-cluster';
const READY_GAP_MS = 50;
/** Signs the tokens of service accounts; in the folder of a cluster. */
const ACCOUNT_KEY = 'accounts.pem';
/** The API's certificate; in the folder of a cluster. */
const CERTIFICATE = 'apiserver.crt';

export async function startKubernetes({
  listen,
  controllers = 'removal',
}: KubernetesOptions = {}): Promise<KubernetesPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-kubernetes-'));
  const started: ServerProcess[] = [];
  const stop = async () => {
    for (const server of started.reverse()) await server.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const store = `http://127.0.0.1:${await findFreePort()}`;
    started.push(await startStore(folder, store));
    const tokens = { admin: randomUUID(), stranger: randomUUID() };
    await makeAccountKey(folder);
    const options = { store, tokens, listen: listen ?? { address: '127.0.0.1', port: await findFreePort() } };
    let api = await startApi(folder, options);
    started.push({ ...api.server, stop: () => api.server.stop() });
    const address = { url: api.url, certificate: api.certificate };
    const kubeconfig = (user: 'admin' | 'stranger') =>
      kubeconfigOf({ ...address, token: tokens[user], context: CONTEXT });
    started.push(await startController(folder, kubeconfig('admin'), controllers));
    const crashApi = async () => {
      process.kill(api.server.pid, 'SIGKILL');
      await api.server.stop();
    };
    const again = async () => void (api = await startApi(folder, options));
    return { kubeconfig, context: CONTEXT, crashApi, startApi: again, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startStore(folder: string, url: string): Promise<ServerProcess> {
  const peerUrl = `http://127.0.0.1:${await findFreePort()}`;
  const flags = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    // The store is not needed after a crash.
    'unsafe-no-fsync': 'true',
  };
  return startServerProcess({
    program: peer('etcd'),
    args: flagsOf(flags),
    ready: /ready to serve client requests/,
  });
}

interface ApiOptions {
  store: string;
  tokens: { admin: string; stranger: string };
  listen: { address: string; port: number };
}

async function makeAccountKey(folder: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, ACCOUNT_KEY), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

async function startApi(folder: string, { store, tokens, listen }: ApiOptions) {
  const { address, port } = listen;
  const [tokenFile, accountKey] = [join(folder, 'tokens.csv'), join(folder, ACCOUNT_KEY)];
  await writeFile(tokenFile, `${tokens.admin},admin,1,system:masters\n${tokens.stranger},stranger,2\n`);
  const flags = {
    'etcd-servers': store,
    'bind-address': address,
    'secure-port': String(port),
    'cert-dir': folder,
    'token-auth-file': tokenFile,
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://accounts.example',
    'service-account-key-file': accountKey,
    'service-account-signing-key-file': accountKey,
    'service-cluster-ip-range': SERVICE_ADDRESSES.range,
    // No name server knows the nodes.
    'kubelet-preferred-address-types': 'InternalIP',
    // The server may not advertise a loopback address, and nothing in this cluster would use it.
    'endpoint-reconciler-type': 'none',
  };
  const server = await startServerProcess({
    program: peer('kube-apiserver'),
    args: flagsOf(flags),
    ready: /Serving securely on/,
  });
  const url = `https://${address}:${port}`;
  const certificate = await readFile(join(folder, CERTIFICATE));
  while (!(await isReady(url, { ca: certificate, token: tokens.admin }))) await delay(READY_GAP_MS);
  return { server, url, certificate };
}

function isReady(url: string, { ca, token }: { ca: Buffer; token: string }): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = get(`${url}/readyz`, { ca, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', reject);
  });
}

async function startController(
  folder: string,
  kubeconfig: string,
  controllers: 'removal' | 'all',
): Promise<ServerProcess> {
  const file = join(folder, 'controller.kubeconfig');
  await writeFile(file, kubeconfig, { mode: 0o600 });
  const flags = {
    kubeconfig: file,
    ...(controllers === 'all' ? accountFlags(folder) : { controllers: REMOVAL }),
    'leader-elect': 'false',
    'secure-port': '0',
  };
  return startServerProcess({
    program: peer('kube-controller-manager'),
    args: flagsOf(flags),
    ready: /Starting namespace controller/,
  });
}

/** A namespace with a claim goes only once the claim's protection is lifted. */
const REMOVAL = 'namespace-controller,persistentvolumeclaim-protection-controller';

/** Returns the flags that let pods use the API: the key of their tokens, and the certificate that they verify. */
const accountFlags = (folder: string): Record<string, string> => ({
  'service-account-private-key-file': join(folder, ACCOUNT_KEY),
  'root-ca-file': join(folder, CERTIFICATE),
});

const flagsOf = (flags: Record<string, string>): string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
