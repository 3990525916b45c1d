import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { Budget } from '../budget';
import { GuardedHttp } from './guarded-http';
import { config, failsAs, failure, guardedStand, hasty } from './guarded-stand';

describe('the limits of GuardedHttp', () => {
  const stand = guardedStand();
  const { started, serve, get } = stand;
  afterEach(() => stand.close());

  it('stops at the byte cap', async () => {
    const origin = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(10_000)));
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(get(origin))).toEqual(failsAs('remote_too_large', 'too many bytes received'));
  });

  it('stops at the request cap', async () => {
    const origin = await serve((_, response) => response.end());
    const network = new GuardedHttp(config);
    started.push(network);
    const http = network.open({ budget: new Budget(config.caps), signal: AbortSignal.timeout(3_000) });
    for (let count = 0; count < config.caps.requests; count += 1) {
      for await (const chunk of (await http.request({ url: origin })).body) void chunk;
    }
    expect(await failure(http.request({ url: origin }))).toEqual(
      failsAs('remote_too_large', 'too many requests'),
    );
  });

  it('stops if the first byte does not arrive in time', async () => {
    const origin = await serve(() => undefined);
    expect(await failure(get(origin, hasty))).toEqual(failsAs('remote_unreadable', 'no answer in time'));
  });

  it('stops if the answer falls silent', async () => {
    const origin = await serve((_, response) => response.write('half'));
    expect(await failure(get(origin, hasty))).toEqual(
      failsAs('remote_unreadable', 'silent in the middle of an answer'),
    );
  });

  it("stops a dripping answer when the whole verification's time is up", async () => {
    const origin = await serve((_, response) => {
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure(get(origin, config, { totalMs: 400 }))).toEqual(
      failsAs('remote_unreadable', 'verification took too long'),
    );
  });

  it('stops at a truncated answer', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'connection failed or was cut'));
  });

  describe('a response before the final one', () => {
    async function serveBytes(bytes: string): Promise<string> {
      const server = createSocketServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(bytes));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      started.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    it('ends the request if it changes the protocol', async () => {
      const origin = await serveBytes(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      );
      expect(await failure(get(origin))).toEqual(
        failsAs('remote_unreadable', 'connection failed or was cut'),
      );
    });

    it.each(['100 Continue', '103 Early Hints'])('does not count as the answer: %s', async (status) => {
      const origin = await serveBytes(`HTTP/1.1 ${status}\r\n\r\n`.repeat(100));
      expect(await failure(get(origin, hasty))).toEqual(failsAs('remote_unreadable', 'no answer in time'));
    });
  });

  it.each([
    ['trailers without end', `0\r\n${'a: b\r\n'.repeat(10_000)}`],
    ['a chunk with an endless extension', `1;${'a'.repeat(100_000)}`],
  ])('stops at %s', async (_, body) => {
    const origin = await serve((_request, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`);
    });
    expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'connection failed or was cut'));
  });

  it('stops at endless headers', async () => {
    const origin = await serve((_, response) => response.setHeader('x', 'x'.repeat(100_000)).end());
    expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'connection failed or was cut'));
  });
});
