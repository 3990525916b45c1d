import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSelfSignedCertificate } from '../git/self-signed-certificate';
import type { NameServerPeer } from '../name-servers/name-server-peer';
import { findFreePort } from '../peers/free-port';
import { peer } from '../peers/peer';
import { startServerProcess } from '../peers/server-process';

/** Let's Encrypt's own ACME server for tests. */
export interface Pebble {
  directoryUrl: string;
  /** PEM: by which its own HTTPS is verified. */
  certificate: string;
  /** PEM: the root above the certificates that it issues. A new one for each start. */
  root: string;
  stop(): Promise<void>;
}

const READY_GAP_MS = 50;

/** @param nameServer answers its questions for challenges */
export async function startPebble({ host, port }: Pick<NameServerPeer, 'host' | 'port'>): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-pebble-'));
  const { key, cert } = await makeSelfSignedCertificate();
  const [certificate, privateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(certificate, cert);
  await writeFile(privateKey, key, { mode: 0o600 });
  const listenAddress = `127.0.0.1:${await findFreePort()}`;
  const managementListenAddress = `127.0.0.1:${await findFreePort()}`;
  const settings = {
    listenAddress,
    managementListenAddress,
    certificate,
    privateKey,
    keyAlgorithm: 'ecdsa',
    retryAfter: { authz: 1, order: 1 },
  };
  const file = join(folder, 'pebble.json');
  await writeFile(file, JSON.stringify({ pebble: settings }));
  const server = await startServerProcess({
    program: peer('pebble'),
    args: ['-config', file, '-dnsserver', `${host}:${port}`],
    ready: /ACME directory available/,
    // Without a random wait before each question, and with a challenge for each order.
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
  });
  return {
    directoryUrl: `https://${listenAddress}/dir`,
    certificate: cert,
    root: await readRoot(`https://${managementListenAddress}/roots/0`, cert),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Asks until the server listens, which it does a moment after it says so. */
async function readRoot(url: string, ca: string): Promise<string> {
  for (;;) {
    const root = await new Promise<string | undefined>((resolve, reject) => {
      const asked = get(url, { ca, agent: false }, (response) => resolve(text(response)));
      asked.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
      );
    });
    if (root !== undefined) return root;
    await delay(READY_GAP_MS);
  }
}
