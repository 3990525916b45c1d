import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeSelfSignedCertificate, startTestNameServer } from '@plat/testing';
import { type ReadyInput, readyWarning } from './ready-check';

const HOSTNAME = 'mcp.acme-dev.services.example.com';
const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function nameServer(...answers: string[][]) {
  const server = await startTestNameServer(answers);
  closing.push(() => server.close());
  return server;
}

async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
const edge = (answer: RequestListener) => listenOn(createHttpServer(answer));

function check(input: Partial<ReadyInput>): Promise<string | undefined> {
  return readyWarning({
    hostname: HOSTNAME,
    targetIp: '127.0.0.1',
    scheme: 'http',
    interrupted: new AbortController().signal,
    waitSeconds: 30,
    ...input,
  });
}

describe('the ready check of a public name', () => {
  it('asks the address itself under the public name, and accepts any HTTP answer', async () => {
    const seen: Array<string | undefined> = [];
    const port = await edge(({ method, headers }, response) => {
      seen.push(`${method} ${headers.host}`);
      response.writeHead(404).end();
    });
    const { address } = await nameServer(['127.0.0.1']);
    expect(await check({ port, nameServer: address })).toBeUndefined();
    expect(seen).toEqual([`HEAD ${HOSTNAME}`]);
  });

  it('waits until the name resolves', async () => {
    const port = await edge((_request, response) => void response.end());
    const names = await nameServer([], ['127.0.0.1']);
    expect(await check({ port, nameServer: names.address })).toBeUndefined();
    expect(names.asked()).toBe(2);
  });

  it('reports a name that does not resolve, and an address that does not answer', async () => {
    const port = await edge(() => undefined);
    await closing.pop()?.();
    const { address } = await nameServer([]);
    expect(await check({ port, nameServer: address, waitSeconds: 0.2 })).toMatch(
      new RegExp(
        `^${HOSTNAME} is exposed and not ready yet: it does not resolve \\(\\w+\\); 127\\.0\\.0\\.1:${port} does not answer \\(\\w+\\)\\.$`,
      ),
    );
  });

  it('reports a name that resolves to another address', async () => {
    const port = await edge((_request, response) => void response.end());
    const { address } = await nameServer(['192.0.2.1', '192.0.2.2']);
    expect(await check({ port, nameServer: address, waitSeconds: 1 })).toContain(
      'it resolves to 192.0.2.1, 192.0.2.2, not to 127.0.0.1',
    );
  });

  it('reports a certificate that is not valid for the name', async () => {
    const port = await listenOn(
      createHttpsServer(await makeSelfSignedCertificate(), (_request, response) => void response.end()),
    );
    const { address } = await nameServer(['127.0.0.1']);
    expect(await check({ scheme: 'https', port, nameServer: address, waitSeconds: 1 })).toMatch(
      /answers without a valid certificate for it \(\w*SELF_SIGNED\w*\)/,
    );
  });

  it('ends an address that accepts and never answers', async () => {
    const port = await edge(() => undefined);
    const { address } = await nameServer(['127.0.0.1']);
    expect(await check({ port, nameServer: address, waitSeconds: 0.5 })).toContain('does not answer');
  });

  it('ends at once when the user stops it', async () => {
    const stop = new AbortController();
    const port = await edge(() => stop.abort(new Error('stopped')));
    const { address } = await nameServer(['127.0.0.1']);
    await expect(check({ port, nameServer: address, interrupted: stop.signal })).rejects.toThrow('stopped');
  });
});
