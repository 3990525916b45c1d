import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { boundFetch } from './fetch-text';
import { AnswerTooLarge, requestText } from './http';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function addressOf(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const get = (address: string, bytesMax: number, signal?: AbortSignal) =>
  requestText(address, { method: 'GET', headers: {}, signal }, bytesMax);

describe('a request to another server', () => {
  it('is answered with the status and the text, and follows no redirect', async () => {
    const redirect = await addressOf((response) => response.writeHead(302, { location: '/x' }).end('moved'));
    expect(await get(redirect, 100)).toMatchObject({ status: 302, data: 'moved' });
  });

  it('fails for an answer that is too large, compressed or not', async () => {
    const plain = await addressOf((response) => response.end('x'.repeat(101)));
    const zipped = await addressOf((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000))),
    );
    await expect(get(plain, 100)).rejects.toThrow(AnswerTooLarge);
    await expect(get(zipped, 1000)).rejects.toThrow(AnswerTooLarge);
    expect((await get(plain, 101)).data).toHaveLength(101);
  });

  it('fails if the server leaves HTTP, at which Node closes the connection without a word', async () => {
    const switching = await addressOf((response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    });
    await expect(get(switching, 100)).rejects.toMatchObject({ code: 'EPROTO' });
  });

  it('ends with the reason of its signal', async () => {
    const silent = await addressOf(() => undefined);
    await expect(get(silent, 100, AbortSignal.timeout(20))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the fetch for libraries, which parse what they get', () => {
  const fetchText = async (type: string, text: string) => {
    const address = await addressOf((response) =>
      response.writeHead(200, { 'content-type': type }).end(text),
    );
    return (await boundFetch(16 * 1024 * 1024)(address)).text();
  };

  it.each([
    ['nested too deeply', '['.repeat(101) + ']'.repeat(101)],
    ['of too many items', `[${'{},'.repeat(2_000_001)}{}]`],
  ])('refuses JSON %s', async (_, text) => {
    await expect(fetchText('application/vnd.github+json', text)).rejects.toThrow('is refused: it ');
    expect(await fetchText('text/plain', text)).toBe(text);
  });
});
