import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../peers/free-port';
import { type ServerProcessOptions, startServerProcess } from '../peers/server-process';

/** The key that may update the zone of an authoritative server. */
export interface UpdateKey {
  name: string;
  algorithm: 'hmac-sha256' | 'hmac-sha512';
  /** In base64. */
  secret: string;
}

/** An authoritative server with one zone that takes UPDATEs signed with one key. */
export interface UpdatedServer {
  host: string;
  port: number;
  zone: string;
  key: UpdateKey;
  stop(): Promise<void>;
}

/** A server of other people's. */
export interface NameServerPeer extends UpdatedServer {
  /** Its own folder, in which its configuration lies. */
  folder: string;
}

/** The inputs of a server's set-up. `folder` is used by this server alone and is removed when the server stops. */
export interface NameServerPlan {
  folder: string;
  port: number;
  zone: string;
  key: UpdateKey;
}

/** Prepares the server's folder and says how it is started. */
export type NameServerSetUp = (plan: NameServerPlan) => Promise<ServerProcessOptions>;

/** Starts a name server on 127.0.0.1, by UDP and TCP on one free port. */
export async function startNameServer(
  setUp: NameServerSetUp,
  algorithm: UpdateKey['algorithm'],
  zone = 'services.example',
): Promise<NameServerPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-name-server-'));
  const secret = Buffer.from('a key for tests, and for nothing else').toString('base64');
  const key: UpdateKey = { name: 'platform-key', algorithm, secret };
  const plan: NameServerPlan = { folder, port: await findFreePort(), zone, key };
  const server = await startServerProcess(await setUp(plan));
  return {
    host: '127.0.0.1',
    port: plan.port,
    zone: plan.zone,
    key,
    folder,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The addresses that the server has for a name, with their seconds to live; none if it has no such name. */
export async function addressesAt(
  { host, port }: Pick<UpdatedServer, 'host' | 'port'>,
  name: string,
): Promise<Array<{ address: string; ttl: number }>> {
  const resolver = new Resolver();
  resolver.setServers([`${host}:${port}`]);
  return resolver.resolve4(name, { ttl: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw error;
  });
}

/** The zone as it begins: nothing but what every zone must have. @returns path of the master file */
export async function writeZoneFile({ folder, zone }: NameServerPlan): Promise<string> {
  const file = join(folder, `${zone}.zone`);
  const records = [
    `${zone}. 60 IN SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 60`,
    `${zone}. 60 IN NS ns.${zone}.`,
    `ns.${zone}. 60 IN A 127.0.0.1`,
  ];
  await writeFile(file, `${records.join('\n')}\n`);
  return file;
}
