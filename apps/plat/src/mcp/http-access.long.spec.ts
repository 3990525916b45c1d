import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UNANSWERED_MAX } from '@plat/local';
import { platformService } from '@plat/platform';
import { startTestService, type TestService } from '@plat/testing';
import { agentOverHttp, mcpToken } from '../black-box/mcp-agent';
import { builtPlat, ended, Machine, said } from '../black-box/plat-process';
import { PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { saveAlias } from '../config/config-file';
import { sessionPath, writeSession } from '../session/stored-session';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
});
const CALL = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

interface Reply {
  status: number | undefined;
  challenge: string | undefined;
  session: string | string[] | undefined;
  body: string;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Uses node:http, because fetch sets its own Host. */
function send(url: string, { method = 'POST', headers = {}, body = INITIALIZE }: Sent = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...CALL, ...headers } }, (response) => {
      const { statusCode: status, headers: got } = response;
      const [challenge, session] = [got['www-authenticate'], got['mcp-session-id']];
      text(response).then((whole) => resolve({ status, challenge, session, body: whole }), reject);
    });
    sent.once('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

/** Sends a request as it is, and returns the answer's first line. */
async function sendRaw(port: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

/** Sends a request as it is, and returns all that comes until the server closes the connection. */
async function sendAndStay(port: string, lines: readonly string[]): Promise<string> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket).finally(() => socket.destroy());
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('plat mcp over HTTP', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  beforeAll(() => builtPlat());
  afterEach(async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  });

  async function newMachine(): Promise<Machine> {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    return machine;
  }

  /** A server on a free port, which is stopped at the end, with what it has said. */
  async function startServer(
    machine: Machine,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) {
    const server = await machine.start(['mcp', '--port', '0', ...args], { env });
    const end = ended(server);
    disposals.push(async () => {
      server.kill('SIGTERM');
      expect(await end).toMatchObject({ code: 0 });
    });
    const [, url = '', file = ''] = await said(
      server,
      /Serving tools on (\S+)\nCallers send the bearer token in (\S+):/,
    );
    return { url, file, port: new URL(url).port, server, end };
  }

  it('keeps the token over a restart, and takes another one of the file at once', async () => {
    const machine = await newMachine();
    const first = await startServer(machine);
    const token = await mcpToken(machine);
    const second = await startServer(machine);
    expect(await mcpToken(machine)).toBe(token);
    const other = 'another-token-of-more-than-32-characters';
    await writeFile(first.file, `${other}\n`);
    expect(await send(second.url, bearer(token))).toMatchObject({ status: 401 });
    expect(await send(second.url, bearer(other))).toMatchObject({ status: 200 });
  });

  it('takes a file that its group may read, as Kubernetes mounts a secret', async () => {
    const machine = await newMachine();
    const file = join(machine.home, 'token');
    const token = 'a-token-of-more-than-32-characters-2';
    await writeFile(file, token);
    await chmod(file, 0o440);
    const { url } = await startServer(machine, ['--token-file', file]);
    expect(await send(url, bearer(token))).toMatchObject({ status: 200 });
    await expect(readFile(join(machine.home, '.plat', 'mcp.token'))).rejects.toThrow('ENOENT');
  });

  it('cuts a connection that sends requests without a token and does not wait for answers', async () => {
    const { port } = await startServer(await newMachine());
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const lines = [`Host: localhost:${port}`, 'Authorization: Bearer x'];
    const request = (...more: string[]) => `${['GET /mcp HTTP/1.1', ...lines, ...more].join('\r\n')}\r\n\r\n`;
    socket.write(request().repeat(500) + request('Connection: close'));
    const answers = (await text(socket).catch(() => '')).match(/HTTP\/1\.1 \d+ /g) ?? [];
    expect(answers.length).toBeLessThanOrEqual(UNANSWERED_MAX);
  });

  it('closes the connection of each caller without a token, which would count among the 200', async () => {
    const { port } = await startServer(await newMachine());
    const own = `Host: localhost:${port}`;
    for (const [status, ...head] of [
      ['401', 'POST /mcp HTTP/1.1', own, 'Content-Length: 0'],
      ['401', 'GET /mcp HTTP/1.1', own, 'Authorization: Bearer x'],
      ['403', 'GET /mcp HTTP/1.1', 'Host: evil.example.com'],
      ['404', 'GET / HTTP/1.1', own],
      ['405', 'GET /mcp HTTP/1.1', own],
    ] as string[][]) {
      const answer = await sendAndStay(port, head);
      expect([head, answer]).toEqual([head, expect.stringMatching(`^HTTP/1\\.1 ${status} `)]);
      expect([head, answer]).toEqual([head, expect.stringMatching(/^connection: close\r$/im)]);
    }
  });

  it('serves a new connection although 200 are open on which no token was shown', async () => {
    const { port } = await startServer(await newMachine());
    const open = Array.from({ length: 200 }, () =>
      connect(Number(port), '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    const lines = ['GET /mcp HTTP/1.1', `Host: localhost:${port}`, 'Connection: close'];
    expect(await sendRaw(port, lines)).toBe('HTTP/1.1 405 Method Not Allowed');
    for (const socket of open) socket.destroy();
  });

  describe('of a person who is signed in', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(platformService);
    });
    afterAll(() => service.stop());

    async function machineOfAlice(): Promise<Machine> {
      const machine = await newMachine();
      const alias: PlatformAlias = {
        name: 'work',
        kind: PLATFORM_KIND,
        apiUrl: service.url,
        audience: String(claimsOf(await tokenOf('alice')).aud),
        issuer: service.issuer.url,
        clientId: 'plat-cli',
      };
      await saveAlias(machine.configFolder, alias);
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      await writeSession(sessionPath(machine.configFolder, alias), {
        accessToken: await tokenOf('alice'),
        expiresAt,
      });
      return machine;
    }

    const tokenOf = async (user: 'alice' | 'bob', claims = {}) => {
      const { iat, exp, aud, ...own } = claimsOf((await service.bearer(user)).replace('Bearer ', ''));
      return service.issuer.token({ ...own, aud, iat, exp, ...claims } as Record<string, unknown>);
    };

    it('asks the platform once for many requests with one token', async () => {
      const machine = await machineOfAlice();
      const { url } = await startServer(machine);
      const before = await whoamiRows();
      const token = await tokenOf('alice', { jti: 'of-many' });
      const replies = await Promise.all(Array.from({ length: 20 }, () => send(url, bearer(token))));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      // One for the caller's token, and one for the server's own.
      expect((await whoamiRows()) - before).toBe(2);
    });

    const whoamiRows = async () => {
      const [row] = await service.database.query<{ n: string }>(
        "SELECT count(*) AS n FROM audit.audit_events WHERE api_path = '/v1/whoami'",
        [],
      );
      return Number(row!.n);
    };
  });

  it("lets an agent of the SDK's client in by a header", async () => {
    const machine = await newMachine();
    const { url } = await startServer(machine);
    const { client } = await agentOverHttp(machine, url);
    disposals.push(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(30);
  });
});

function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
}
