import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { SERVICES } from '@plat/contracts/core';
import { Deployment, type Programs, startStandalone } from '@plat/testing';
import type { Stand } from '../http/stand';
import { root } from '../part';
import { parentOf } from './cpu';

/** Something that is measured: an address, and the processes behind it by what they are. */
export interface Shape {
  name: string;
  url: string;
  token: string;
  processes: Record<string, number[]>;
  stop(): Promise<void>;
}

/** Replicas of the five services behind the edge. */
export async function deployShape(
  stand: Stand,
  { name, replicas, programs, environment = {} }: DeployedOptions,
): Promise<Shape> {
  const deployment = await Deployment.start({
    folder: stand.folder,
    programs,
    replicas,
    environment: (service) => ({ ...stand.environment(service), ...environment }),
  });
  const services = SERVICES.map((service) => [service, deployment.processes(service).map(({ pid }) => pid)]);
  return {
    name,
    url: deployment.url,
    token: await stand.token('alice'),
    processes: {
      ...(Object.fromEntries(services) as Record<string, number[]>),
      edge: [deployment.edgePid],
      database: [await serverOf(stand.ownerUrl)],
    },
    stop: () => deployment.stop(),
  };
}

interface DeployedOptions {
  name: string;
  replicas: number;
  programs: Programs;
  environment?: Record<string, string>;
}

/** The five in one process, without an edge, over a database of their own. */
export async function standalone(): Promise<Shape> {
  const program = [join(root, 'dist/apps/standalone/main.js')];
  const started = await startStandalone<StandaloneReport>({ program });
  const { apiUrl, databaseUrl, accounts } = started.report;
  return {
    name: 'standalone',
    url: apiUrl,
    token: accounts.alice!.token,
    processes: { standalone: [started.child.pid!], database: [await serverOf(databaseUrl)] },
    stop: () => started.stop(),
  };
}

interface StandaloneReport {
  apiUrl: string;
  databaseUrl: string;
  accounts: Record<string, { token: string }>;
}

/** Takes whatever telemetry is sent, and counts the requests. */
export async function startCollector(): Promise<{ url: string; received(): number; stop(): void }> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request
      .resume()
      .once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    stop: () => void server.close().closeAllConnections(),
  };
}

/** The server's first process, by one of its sessions. */
async function serverOf(ownerUrl: string): Promise<number> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = await parentOf(rows[0]!.pid);
  await client.end();
  return server;
}
