import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { peer } from '@plat/testing';
import { median } from '../median';
import { table } from '../table';
import { clientFolder, freePort } from './contender';
import { NAMESPACE, type Stand } from './stand';

/** Medians of whole runs of the client, in milliseconds. */
export interface OpeningFigures {
  /** `plat version`: what a run costs that does nothing. */
  nothing: number;
  /** `plat open --no-shell` that starts three forwards, and waits until each carries a connection. */
  started: number;
  /** The same that finds them running. */
  reused: number;
}

const LABELS = { app: 'channels' };
/** The first port of a block, and what is added to it for each channel. */
const [FIRST_PORT, LAST_PORT, BLOCK] = [17_000, 65_400, 100];
const OFFSETS = { mcp: 0, ssh: 22, api: 33 };
type Service = keyof typeof OFFSETS;

/** Opens an environment of the stand's cluster, `rounds` times from nothing and as often again. */
export async function measureOpening(
  stand: Stand,
  { folder, client, rounds }: { folder: string; client: string | undefined; rounds: number },
): Promise<OpeningFigures> {
  const servers = await channelServers();
  try {
    const start = await freeBlock();
    await makeEnvironment(stand, { start, servers });
    const run = await clientIn(folder, {
      stand,
      start,
      program: join(client ?? (await clientFolder()), 'plat.js'),
    });
    const open = ['open', 'acme', 'dev', '--no-shell', '--json'];
    const [nothing, started, reused]: number[][] = [[], [], []];
    for (let round = 0; round <= rounds; round++) {
      const times = [await run(['version']), await run(open), await run(open)];
      await run(['forwards', 'stop', 'acme', 'dev']);
      // The first round fills the caches.
      if (round > 0) [nothing, started, reused].forEach((list, at) => list!.push(times[at]!));
    }
    return { nothing: median(nothing!), started: median(started!), reused: median(reused!) };
  } finally {
    for (const server of Object.values(servers)) server.close();
  }
}

export function openingTable({ nothing, started, reused }: OpeningFigures): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
  return table([
    ['a whole run of the client, s', 'median', 'without its start', 'goal'],
    ['three channels opened', seconds(started), seconds(started - nothing), '< 1.5'],
    ['opened again', seconds(reused), seconds(reused - nothing), '< 0.3'],
  ]);
}

/** Starts the servers that answer in the pod: HTTP for MCP and the API, a banner for SSH. */
async function channelServers(): Promise<Record<Service, Server>> {
  const http = () => createHttpServer((_request, response) => void response.writeHead(200).end());
  const ssh = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('SSH-2.0-bench\r\n');
  });
  const servers = { mcp: http(), ssh, api: http() };
  for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening');
  return servers;
}

async function makeEnvironment(
  { cluster }: Stand,
  { start, servers }: { start: number; servers: Record<Service, Server> },
): Promise<void> {
  const ports: Record<number, number> = {};
  for (const service of ['mcp', 'ssh', 'api'] as const) {
    const port = start + OFFSETS[service];
    ports[port] = (servers[service].address() as AddressInfo).port;
    const named = { namespace: NAMESPACE, name: `acme-${service}`, selector: LABELS };
    await cluster.makeService({ ...named, port, targetPort: port });
  }
  await cluster.makePod({ namespace: NAMESPACE, name: 'channels', labels: LABELS, ports });
  const folder = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
  const containers = [{ name: 'main', image: 'none' }];
  const body = {
    metadata: { name: 'acme-runtime' },
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      template: { metadata: { labels: LABELS }, spec: { containers } },
    },
  };
  await cluster.requests.send({ method: 'POST', path: folder, body });
  const status = { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await cluster.requests.send({ method: 'PATCH', path: `${folder}/acme-runtime/status`, body: { status } });
}

/** @returns what runs the client to its end in a home of its own, and the milliseconds it took */
async function clientIn(
  home: string,
  { stand, start, program }: { stand: Stand; start: number; program: string },
): Promise<(args: string[]) => Promise<number>> {
  const folder = join(home, '.config', 'plat', 'acme', 'dev');
  await mkdir(folder, { recursive: true });
  const context = stand.cluster.kubernetes.context;
  const lines = ['type: runtime', `kubernetesContext: ${context}`, `localPortRangeStart: ${start}`];
  await writeFile(join(folder, 'config.yaml'), `${lines.join('\n')}\n`);
  const path = [dirname(peer('kubectl')), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: home, KUBECONFIG: stand.kubeconfig };
  return async (args) => {
    const startedAt = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    const time = performance.now() - startedAt;
    if (stdout.includes('"outcome": "failed"')) throw new Error(`A channel failed: ${stdout}`);
    return time;
  };
}

/** The first port of a block whose ports are free. */
async function freeBlock(): Promise<number> {
  for (let start = LAST_PORT; start >= FIRST_PORT; start -= BLOCK) {
    const ports = Object.values(OFFSETS).map((offset) => start + offset);
    const free = await Promise.all(ports.map((port) => freePort(port).catch(() => undefined)));
    if (free.every((port) => port !== undefined)) return start;
  }
  throw new Error('No block of ports is free.');
}
