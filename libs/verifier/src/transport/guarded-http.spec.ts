import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startTestNameServer } from '@plat/testing';
import { Budget } from '../budget';
import { defaultVerifierConfig, embeddedVerifierConfig, type VerifierConfig } from '../config';
import { RemoteFailure } from '../remote-failure';
import type { GitHttpRequest } from './git-http';
import { GuardedHttp } from './guarded-http';

describe('GuardedHttp', () => {
  const started: { close(): void }[] = [];
  const servers: Server[] = [];
  const config: VerifierConfig = {
    ...embeddedVerifierConfig,
    caps: { ...embeddedVerifierConfig.caps, downloadBytes: 100_000, requests: 3 },
  };
  const hasty: VerifierConfig = { ...config, caps: { ...config.caps, idleMs: 200 } };
  afterEach(() => started.splice(0).forEach((part) => part.close()));

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.push({ close: () => (server.closeAllConnections(), server.close()) });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function get(url: string, used = config, request: Partial<GitHttpRequest> = {}, totalMs = 3_000) {
    const network = new GuardedHttp(used);
    started.push(network);
    const http = network.open({ budget: new Budget(used.caps), signal: AbortSignal.timeout(totalMs) });
    const answer = await http.request({ url, method: 'GET', ...request });
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return { ...answer, text: Buffer.concat(parts).toString() };
  }
  const failsAs = (reason: string, message: string) => ({ reason, message });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no failure',
      (error: unknown) =>
        error instanceof RemoteFailure
          ? { reason: error.reason, message: error.message }
          : `another error: ${String(error)}`,
    );

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

  describe('refuses a URL by its text:', () => {
    it.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:,x'])(
      '%s, the scheme',
      async (url) => {
        expect(await failure(get(url, defaultVerifierConfig))).toEqual(
          failsAs('remote_refused', 'scheme not allowed'),
        );
      },
    );

    it('user name and password', async () => {
      expect(await failure(get('https://user:secret@example.com/'))).toEqual(
        failsAs('remote_refused', 'credentials in the address'),
      );
    });
  });

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://git.localhost./',
    'https://127.0.0.1./',
    'https://127.0.0.1:22/',
    'https://0177.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://0xa9fea9fe/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
  ])('does not connect to %s', async (url) => {
    expect(await failure(get(url, defaultVerifierConfig))).toEqual(
      failsAs('remote_unreadable', expect.stringContaining('not allowed') as string),
    );
  });

  describe('a host name', () => {
    const configureNameServer = async (answers: string[][], allowed: Partial<VerifierConfig> = {}) => {
      const names = await startTestNameServer(answers);
      started.push(names);
      const used = {
        ...config,
        allowLoopback: false,
        nameResolution: 'dns' as const,
        nameServers: [names.address],
        ...allowed,
      };
      return { names, used };
    };

    it('is not connected to if one of its addresses is not allowed', async () => {
      let connections = 0;
      const origin = await serve((_, response) => response.end(String((connections += 1))));
      const { used } = await configureNameServer([['8.8.8.8', '127.0.0.1']]);
      expect(await failure(get(origin.replace('127.0.0.1', 'git.example.com'), used))).toEqual(
        failsAs('remote_unreadable', 'the address 127.0.0.1 of git.example.com is not allowed'),
      );
      expect(connections).toBe(0);
    });

    it('is looked up once, so that a DNS answer that changes after the check has no effect', async () => {
      const origin = await serve((_, response) => response.end('reached'));
      const { names, used } = await configureNameServer([['127.0.0.1'], ['10.0.0.1']], {
        allowLoopback: true,
      });
      expect((await get(origin.replace('127.0.0.1', 'git.example.com'), used)).text).toBe('reached');
      expect(names.asked()).toBe(1);
    });

    it('is resolved by this machine if the deployment allows that', async () => {
      const used = { ...config, nameResolution: 'system' as const };
      expect(await failure(get('http://nowhere.invalid/', used))).toEqual(
        failsAs('remote_unreadable', 'host name without an address'),
      );
    });

    it('without an address fails like a closed port', async () => {
      const { used } = await configureNameServer([[]]);
      expect(await failure(get('http://git.example.com/', used))).toMatchObject({
        reason: 'remote_unreadable',
      });
    });
  });

  describe('inside what the operator allows', () => {
    /** Without any other way to loopback than the entries. */
    const serveAllowed = async (
      entries: (port: string) => string[],
      answers: string[][] = [['127.0.0.1']],
    ) => {
      let served = 0;
      const origin = await serve((request, response) => {
        served += 1;
        if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' });
        response.end('reached');
      });
      const names = await startTestNameServer(answers);
      started.push(names);
      const { port } = new URL(origin);
      const used: VerifierConfig = {
        ...config,
        allowLoopback: false,
        nameResolution: 'dns',
        nameServers: [names.address],
        allowedNetworks: entries(port),
      };
      return { used, names, origin, named: `http://git.house:${port}`, served: () => served };
    };
    const closed = (name: string) => failsAs('remote_unreadable', expect.stringContaining(name) as string);

    it.each([
      ['the address', () => ['127.0.0.1/32']],
      ['the address and its port', (port: string) => [`127.0.0.1:${port}`]],
    ])('a server is read by its address and by its name: %s', async (_, entries) => {
      const { used, origin, named } = await serveAllowed(entries);
      expect((await get(origin, used)).text).toBe('reached');
      expect((await get(named, used)).text).toBe('reached');
    });

    it('another address of the same range is not connected to, by its text or by a name', async () => {
      const { used, origin, named, served } = await serveAllowed(() => ['127.0.0.2/32']);
      expect(await failure(get(origin, used))).toEqual(closed('not allowed'));
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('another port of an allowed host is not connected to', async () => {
      const { used, origin, named, served } = await serveAllowed(() => ['127.0.0.1:1', 'git.house:1']);
      expect(await failure(get(origin, used))).toEqual(closed('not allowed'));
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('a name is no way to loopback or to link-local addresses', async () => {
      for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0']) {
        const { used, named, served } = await serveAllowed((port) => [`git.house:${port}`], [[address]]);
        expect(await failure(get(named, used))).toEqual(closed('not allowed'));
        expect(served()).toBe(0);
      }
    });

    it('a name with one address that is not allowed is not connected to', async () => {
      const { used, named, served } = await serveAllowed(() => ['127.0.0.1/32'], [['127.0.0.1', '10.0.0.1']]);
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('a name is looked up once, so that rebinding it after the check has no effect', async () => {
      const { used, named, names } = await serveAllowed(
        () => ['127.0.0.1/32'],
        [['127.0.0.1'], ['127.0.0.2']],
      );
      expect((await get(named, used)).text).toBe('reached');
      expect(names.asked()).toBe(1);
    });

    it('a redirect to another place of the same network is not followed', async () => {
      const { used, origin } = await serveAllowed(() => ['127.0.0.1/32']);
      expect(await failure(get(`${origin}/away`, used))).toEqual(closed('redirect to another host'));
    });
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
    expect(await failure(get(origin, config, {}, 400))).toEqual(
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

  it('stops at endless headers', async () => {
    const origin = await serve((_, response) => response.setHeader('x', 'x'.repeat(100_000)).end());
    expect(await failure(get(origin))).toEqual(failsAs('remote_unreadable', 'connection failed or was cut'));
  });
});
