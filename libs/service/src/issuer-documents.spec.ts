import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchIssuerKeys } from './issuer-documents';

const CHUNK = Buffer.alloc(64 * 1024, ' ');

describe('the documents of an issuer', () => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

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
    // Beside the bound, the buffers of the two ends.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});
