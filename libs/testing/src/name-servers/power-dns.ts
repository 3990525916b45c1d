import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peer } from '../peers/peer';
import { execFile } from '../starter/child-process';
import { type NameServerPeer, type NameServerSetUp, writeZoneFile } from './name-server-peer';

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

const run = promisify(execFile);

/** PowerDNS over SQLite. Its caches are off, else an answer may be older than the update. */
export const powerDns: NameServerSetUp = async (plan) => {
  const { folder, port, zone, key } = plan;
  const database = join(folder, 'zones.sqlite3');
  await run(peer('sqlite3'), [database, `.read ${SCHEMA}`]);
  const settings = {
    launch: 'gsqlite3',
    'gsqlite3-database': database,
    'local-address': '127.0.0.1',
    'local-port': port,
    'socket-dir': folder,
    dnsupdate: 'yes',
    'cache-ttl': 0,
    'query-cache-ttl': 0,
    'negquery-cache-ttl': 0,
    'zone-cache-refresh-interval': 0,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, 'pdns.conf'), lines.join(''));
  const administer = (...args: string[]) => administerPowerDns({ folder }, args);
  await administer('load-zone', zone, await writeZoneFile(plan));
  await administer('import-tsig-key', key.name, key.algorithm, key.secret);
  await administer('set-meta', zone, 'TSIG-ALLOW-DNSUPDATE', key.name);
  // Every address may update, so that the key alone decides.
  await administer('set-meta', zone, 'ALLOW-DNSUPDATE-FROM', '127.0.0.0/8');
  return {
    program: peer('pdns_server'),
    args: [`--config-dir=${folder}`, '--daemon=no', '--guardian=no', '--disable-syslog'],
    ready: /ready to distribute questions/,
  };
};

/** Runs pdnsutil on a PowerDNS. @returns its stdout; @throws Error when it fails */
export async function administerPowerDns(
  { folder }: Pick<NameServerPeer, 'folder'>,
  args: readonly string[],
): Promise<string> {
  return (await run(peer('pdnsutil'), [`--config-dir=${folder}`, ...args])).stdout;
}
