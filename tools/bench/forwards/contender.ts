import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peer } from '@plat/testing';
import { root } from '../part';
import { NAMESPACE, SERVICE, SERVICE_PORT, type Stand } from './stand';

/** A process that forwards a port of this machine to the Service. */
export interface Contender {
  name: string;
  port: number;
  processId: number;
  stop(): Promise<void>;
}

interface Started {
  name: string;
  program: string;
  args: string[];
  port: number;
  ready: RegExp;
  kubeconfig: string;
}

export async function startKubectl({ kubeconfig }: Stand): Promise<Contender> {
  const port = await freePort();
  const args = ['port-forward', '--namespace', NAMESPACE, `svc/${SERVICE}`, `${port}:${SERVICE_PORT}`];
  const program = peer('kubectl');
  return start({ name: 'kubectl', program, args, port, ready: /Forwarding from 127/, kubeconfig });
}

/** Starts the client's own daemon, with a state file in the folder. @param client default: this repository's, built */
export async function startDaemon(
  { kubeconfig, cluster }: Stand,
  { folder, client }: { folder: string; client?: string },
): Promise<Contender> {
  const port = await freePort();
  const state = join(folder, 'dev.json');
  const context = cluster.kubernetes.context;
  const record = { tenant: 'acme', environment: 'dev', kubernetesContext: context, namespace: NAMESPACE };
  await writeFile(state, JSON.stringify({ ...record, localPort: port, logPath: join(folder, 'dev.log') }));
  const args = [
    join(client ?? (await clientFolder()), 'portforward.js'),
    'forward',
    ...['--namespace', NAMESPACE, '--service', SERVICE, '--ports', `${port}:${SERVICE_PORT}`],
    ...['--context', context, '--state', state],
  ];
  return start({ name: 'plat', program: process.execPath, args, port, ready: /"listening"/, kubeconfig });
}

async function start({ name, program, args, port, ready, kubeconfig }: Started): Promise<Contender> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => ready.test((said += data.toString())) && resolve());
    child.once('exit', () => reject(new Error(`${name} ended before it listened: ${said}`)));
  });
  return {
    name,
    port,
    processId: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Imports the recipe from the repository at run time, because it is not part of this bundle. */
export async function clientFolder(): Promise<string> {
  const recipe = pathToFileURL(join(root, 'apps/plat/build.mjs')).href;
  const entry = await ((await import(recipe)) as { freshPlat(): Promise<string> }).freshPlat();
  return join(entry, '..');
}

/** @param wanted default: any */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
