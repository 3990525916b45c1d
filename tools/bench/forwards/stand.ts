import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ForwardCluster, startForwardCluster } from '@plat/testing';
import { progress, root } from '../part';

export const NAMESPACE = 'acme-dev';
export const SERVICE = 'acme-errands';
export const SERVICE_PORT = 8080;
const LABELS = { app: 'runtime' };
const POD_PORT = 9000;
const PEERS = ['kubernetes', 'forward-node', 'kubectl'];

/** A cluster with one Service and one pod behind it. */
export class Stand {
  private constructor(
    readonly cluster: ForwardCluster,
    private readonly backend: ChildProcess,
    /** Path of the admin's kubeconfig. */
    readonly kubeconfig: string,
  ) {}

  static async start(): Promise<Stand> {
    // Imports the set-up from the repository at run time, because it is not part of this bundle.
    const { setUp } = (await import(pathToFileURL(join(root, 'tools/peers/set-up.mjs')).href)) as {
      setUp(names: string[], log: (line: string) => void): Promise<Record<string, string>>;
    };
    process.env.PLAT_PEERS = JSON.stringify(await setUp(PEERS, progress));
    progress('starting an API server and a node');
    const cluster = await startForwardCluster();
    const { backend, port } = await startBackend();
    await cluster.makeNamespace(NAMESPACE);
    const service = { name: SERVICE, selector: LABELS, port: SERVICE_PORT, targetPort: 'mcp' };
    await cluster.makeService({ namespace: NAMESPACE, ...service });
    const pod = { name: 'runtime', labels: LABELS, ports: { [POD_PORT]: port } };
    await cluster.makePod({ namespace: NAMESPACE, ...pod, portNames: { mcp: POD_PORT } });
    return new Stand(cluster, backend, await cluster.kubeconfigFile('admin'));
  }

  async stop(): Promise<void> {
    this.backend.stdin!.end();
    await this.cluster.stop();
  }
}

async function startBackend(): Promise<{ backend: ChildProcess; port: number }> {
  const entry = [join(root, 'tools/build/run-ts.mjs'), 'tools/bench/forwards/backend/main.ts'];
  const backend = spawn(process.execPath, entry, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(backend.stdout!, 'data')) as [Buffer];
  return { backend, port: Number(line.toString()) };
}
