import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchIssuerKeys } from './issuer-documents';

const CHUNK = Buffer.alloc(64 * 1024, ' ');

describe('the documents of an issuer', () => {
  let server: Server;
  afterEach(stop);
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  it('are read up to a bound, and the connection to an issuer that sends more is ended', async () => {
    let sent = 0;
    server = createServer((_request, response) => {
      const send = () => {
        while (!response.destroyed) {
          sent += CHUNK.length;
          if (!response.write(CHUNK)) return void response.once('drain', send);
        }
      };
      send();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ended = new Promise((resolve) => {
      server.once('connection', (socket) => socket.once('close', resolve));
    });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const refused = await fetchIssuerKeys(issuer, true).catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ message: `the keys of ${issuer} cannot be had` });
    expect((refused as Error).cause).toMatchObject({
      message: expect.stringContaining('more than 1048576 bytes'),
    });
    await ended;
    // Next to the bound, the buffers of the two ends.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  /** Lists keys as an issuer, and fetches them. */
  async function fetchListed(keys: unknown): ReturnType<typeof fetchIssuerKeys> {
    let issuer = '';
    server = createServer((_request, response) => {
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, keys }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return fetchIssuerKeys(issuer, true);
  }
  const EC = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
  const rsa = (n: number, e = 'AQAB') => ({ kty: 'RSA', n: 'n'.repeat(n), e });

  it('list a hundred keys at most, since each token that names the issuer looks through all', async () => {
    expect(await fetchListed(Array(100).fill(EC))).toEqual({ keys: Array(100).fill(EC) });
    await stop();
    await expect(fetchListed(Array(101).fill(EC))).rejects.toMatchObject({
      cause: { message: 'it lists more than 100 keys' },
    });
  });

  it('list no key with which one check takes long: those are left out', async () => {
    const costly = [rsa(2731), rsa(512, 'e'.repeat(500)), { kty: 'RSA', e: 'AQAB' }, null];
    expect(await fetchListed([rsa(1366), ...costly, EC])).toEqual({ keys: [rsa(1366), EC] });
  });
});
