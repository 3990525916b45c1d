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

/** A Kubernetes API server with its store and the controller that removes namespaces; no node, so nothing runs in it. */
export interface KubernetesPeer {
  /** The text of a kubeconfig for somebody who may do everything, or nothing at all. */
  kubeconfig(user: 'admin' | 'stranger'): string;
  /** The name of a kubeconfig's one context. */
  context: string;
  stop(): Promise<void>;
}

const CONTEXT = 'test-cluster';
const READY_GAP_MS = 50;

export async function startKubernetes(): Promise<KubernetesPeer> {
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
    const { server, ...address } = await startApi(folder, store, tokens);
    started.push(server);
    const kubeconfig = (user: 'admin' | 'stranger') =>
      kubeconfigOf({ ...address, token: tokens[user], context: CONTEXT });
    started.push(await startController(folder, kubeconfig('admin')));
    return { kubeconfig, context: CONTEXT, stop };
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

async function startApi(folder: string, store: string, tokens: { admin: string; stranger: string }) {
  const port = await findFreePort();
  const [tokenFile, accountKey] = [join(folder, 'tokens.csv'), join(folder, 'accounts.pem')];
  await writeFile(tokenFile, `${tokens.admin},admin,1,system:masters\n${tokens.stranger},stranger,2\n`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(accountKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const flags = {
    'etcd-servers': store,
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': folder,
    'token-auth-file': tokenFile,
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://accounts.example',
    'service-account-key-file': accountKey,
    'service-account-signing-key-file': accountKey,
    'service-cluster-ip-range': '10.0.0.0/24',
    // The server may not advertise a loopback address, and nothing in this cluster would use it.
    'endpoint-reconciler-type': 'none',
  };
  const server = await startServerProcess({
    program: peer('kube-apiserver'),
    args: flagsOf(flags),
    ready: /Serving securely on/,
  });
  const url = `https://127.0.0.1:${port}`;
  const certificate = await readFile(join(folder, 'apiserver.crt'));
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

async function startController(folder: string, kubeconfig: string): Promise<ServerProcess> {
  const file = join(folder, 'controller.kubeconfig');
  await writeFile(file, kubeconfig, { mode: 0o600 });
  const flags = {
    kubeconfig: file,
    // A namespace with a claim goes only once the claim's protection is lifted.
    controllers: 'namespace-controller,persistentvolumeclaim-protection-controller',
    'leader-elect': 'false',
    'secure-port': '0',
  };
  return startServerProcess({
    program: peer('kube-controller-manager'),
    args: flagsOf(flags),
    ready: /Starting namespace controller/,
  });
}

const flagsOf = (flags: Record<string, string>): string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
