import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Session } from '../session/session';
import { ApiReader } from './api-reader';
import { orUndefined } from './read-failure';

const MEBIBYTE = 1024 * 1024;

let server: Server;
let origin: string;
let written = 0;
beforeAll(async () => {
  server = createServer((req, res) => {
    // A list without an end, as long as it is read.
    const write = (): void => {
      written += MEBIBYTE;
      if (written > 200 * MEBIBYTE) res.end();
      else res.write(Buffer.alloc(MEBIBYTE, 32), (error) => error ?? write());
    };
    if (req.url === '/endless') write();
    else res.end('{"name":"Größe ändern"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.leave());

function signedIn(): ApiReader {
  session.begin({ value: 'token', endsAt: Date.now() + 60_000 });
  return new ApiReader(session);
}

describe('an answer', () => {
  it('is read as text of UTF-8', async () => {
    const { signal } = new AbortController();
    expect(await signedIn().get(`${origin}/small`, signal)).toEqual({ name: 'Größe ändern' });
  });

  it('without an end is cut off, and is missing alone where a page can do without it', async () => {
    const { signal } = new AbortController();
    const reading = signedIn().get(`${origin}/endless`, signal);
    await expect(reading).rejects.toMatchObject({ kind: 'too-large' });
    expect(written).toBeLessThan(100 * MEBIBYTE);
    expect(await orUndefined(reading)).toBeUndefined();
  });
});
