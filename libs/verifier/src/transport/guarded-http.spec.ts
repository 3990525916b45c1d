import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Budget } from '../budget';
import { GuardedHttp } from './guarded-http';
import { config, failsAs, failure, guardedStand } from './guarded-stand';

describe('GuardedHttp', () => {
  const stand = guardedStand();
  const { started, servers, serve, get } = stand;
  afterEach(() => stand.close());

  it('sends accept and git-protocol of the caller, and no header that identifies or authenticates it', async () => {
    let seen: IncomingMessage['headers'] = {};
    const origin = await serve((request, response) => {
      seen = request.headers;
      response.end('ok');
    });
    const headers = {
      Authorization: 'Basic x',
      Cookie: 'x',
      'Proxy-Authorization': 'x',
      'Git-Protocol': 'version=2',
      accept: 'a',
    };
    expect((await get(origin, config, { headers })).text).toBe('ok');
    expect(Object.keys(seen).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'git-protocol',
      'host',
      'user-agent',
    ]);
    expect(seen).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'git/plat-verifier' });
  });

  function flood(response: ServerResponse): void {
    while (!response.destroyed && response.write('more'));
    response.once('drain', () => flood(response));
  }

  describe('with a reader that stops early', () => {
    async function readOnce(network: GuardedHttp, origin: string): Promise<void> {
      const http = network.open({ budget: new Budget(config.caps), signal: AbortSignal.timeout(3_000) });
      const { body } = await http.request({ url: origin });
      await body.next();
      await body.return?.();
    }

    it('reuses the connection if the answer ends without more data', async () => {
      const origin = await serve((_, response) => {
        response.write('all');
        setImmediate(() => response.end());
      });
      const connections = new Set<unknown>();
      servers.at(-1)?.on('connection', (socket) => connections.add(socket));
      const network = new GuardedHttp(config);
      started.push(network);
      for (let turn = 0; turn < 6; turn += 1) await readOnce(network, origin);
      expect(connections.size).toBeLessThanOrEqual(2);
    });

    it.each([
      ['goes on', flood],
      ['stays open', () => undefined],
    ])('cuts an answer that %s', async (_, more) => {
      const cut: Promise<unknown>[] = [];
      const origin = await serve((_, response) => {
        cut.push(once(response, 'close'));
        response.write('all');
        setImmediate(more, response);
      });
      const network = new GuardedHttp(config);
      started.push(network);
      await readOnce(network, origin);
      await Promise.all(cut);
      expect(cut).toHaveLength(1);
    });
  });

  it('ignores proxy variables', async () => {
    const origin = await serve((_, response) => response.end('direct'));
    const { env } = process;
    env['http_proxy'] = 'http://127.0.0.1:1';
    env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    try {
      expect((await get(origin)).text).toBe('direct');
    } finally {
      delete env['http_proxy'];
      delete env['HTTP_PROXY'];
    }
  });

  describe('a redirect', () => {
    const redirectTo =
      (location: string | ((request: IncomingMessage) => string), status = 302) =>
      (request: IncomingMessage, response: ServerResponse) => {
        if (request.url === '/end') {
          response.end('end');
        } else {
          response
            .writeHead(status, { location: typeof location === 'string' ? location : location(request) })
            .end('moved');
        }
      };

    it.each([301, 302, 303, 307, 308])('with status %d on the same host is followed once', async (status) => {
      const origin = await serve(redirectTo('/end', status));
      expect(await get(`${origin}/start`)).toMatchObject({ text: 'end', url: `${origin}/end` });
    });

    it('is not followed a second time', async () => {
      const origin = await serve(redirectTo('/again'));
      expect(await failure(get(`${origin}/start`))).toEqual(
        failsAs('remote_unreadable', 'status other than 200'),
      );
    });

    it('is not followed on POST', async () => {
      const origin = await serve(redirectTo('/end'));
      expect(
        await failure(get(`${origin}/start`, config, { method: 'POST', body: [Buffer.from('x')] })),
      ).toEqual(failsAs('remote_unreadable', 'status other than 200'));
    });

    it.each([
      'http://127.0.0.1:1/',
      'http://localhost/',
      'http://169.254.169.254/',
      'file:///etc/passwd',
      '//example.com/',
      'https://127.0.0.1/',
    ])('to %s is not followed', async (location) => {
      const origin = await serve(redirectTo(location));
      expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'redirect to another host'));
    });

    it('to an unusable location is a failure', async () => {
      const origin = await serve(redirectTo('http://[/'));
      expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'unusable redirect'));
    });

    it('may not add credentials', async () => {
      const origin = await serve(redirectTo((request) => `http://user:secret@${request.headers.host}/end`));
      expect(await failure(get(origin))).toMatchObject({ message: 'credentials in the address' });
    });
  });

  it.each([201, 203, 204, 206, 304, 400, 401, 403, 404, 429, 500, 503])(
    'refuses status %d',
    async (status) => {
      const origin = await serve((_, response) => response.writeHead(status, { location: '/x' }).end());
      const cause = expect.stringContaining('status') as string;
      expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', cause));
    },
  );

  it('refuses an encoded answer, so that a gzip bomb is never inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const origin = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'encoded answer'));
  });

  it('sends the request again if the server closed a kept connection', async () => {
    const origin = await serve((request, response) => {
      response.end('answer');
      const { socket } = request;
      // Not an orderly close, so the next request on this connection is reset.
      response.on('finish', () => socket.once('data', () => socket.resetAndDestroy()));
    });
    const network = new GuardedHttp(config);
    started.push(network);
    const http = network.open({ budget: new Budget(config.caps), signal: AbortSignal.timeout(3_000) });
    for (let count = 0; count < 2; count += 1) {
      const parts: Uint8Array[] = [];
      for await (const part of (await http.request({ url: origin })).body) parts.push(part);
      expect(Buffer.concat(parts).toString()).toBe('answer');
    }
  });
});
