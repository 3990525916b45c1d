import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { platformService } from '@plat/platform';
import { startTestService, type TestService } from '@plat/testing';
import { mcpToken } from '../black-box/mcp-agent';
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

  it('demands the token of the file that it names, which only its owner can read. Rule I5', async () => {
    const machine = await newMachine();
    const { url, file } = await startServer(machine);
    expect(file).toBe(join(machine.home, '.plat', 'mcp.token'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const token = await mcpToken(machine);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    for (const refused of [{}, bearer(''), { headers: { authorization: `Basic ${token}` } }]) {
      expect(await send(url, refused)).toMatchObject({
        status: 401,
        challenge: 'Bearer realm="plat mcp"',
        session: undefined,
      });
    }
    for (const wrong of ['x', `${token}x`, token.slice(1), token.toUpperCase(), 'a.e30.b']) {
      expect(await send(url, bearer(wrong))).toMatchObject({
        status: 401,
        challenge: 'Bearer realm="plat mcp", error="invalid_token"',
        session: undefined,
      });
    }
    expect(await send(url, bearer(token))).toMatchObject({ status: 200, session: expect.any(String) });
  });

  it('demands it for every request of a session', async () => {
    const machine = await newMachine();
    const { url } = await startServer(machine);
    const { session } = await send(url, bearer(await mcpToken(machine)));
    const headers = { 'mcp-session-id': String(session) };
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
      expect({ method, ...(await send(url, { method, headers })) }).toMatchObject({ method, status: 401 });
    }
  });

  it('answers the probe of a forward without a token, and nothing else: no session, no information', async () => {
    const { url } = await startServer(await newMachine());
    expect(await send(url, { method: 'GET' })).toEqual({
      status: 405,
      challenge: undefined,
      session: undefined,
      body: '',
    });
    expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 401 });
    expect(await send(`${url}?x`, { method: 'GET' })).toMatchObject({ status: 405, body: '' });
    expect(await send(new URL('/', url).href, { method: 'GET' })).toMatchObject({ status: 404 });
  });

  it('never prints the token, unless a person asks for a configuration on a terminal', async () => {
    const machine = await newMachine();
    const { server, end } = await startServer(machine, ['--debug']);
    const token = await mcpToken(machine);
    server.kill('SIGTERM');
    const run = await end;
    expect(run.stdout + run.stderr).not.toContain(token);
    expect((await machine.plat(['mcp', '--show-client-config', '--json'])).json()).toMatchObject({
      code: 'NO_TERMINAL',
    });
    const shown = await startServer(machine, ['--show-client-config', '--host', '0.0.0.0'], {
      PLAT_FORCE_TTY: '1',
    });
    shown.server.kill('SIGTERM');
    expect((await shown.end).json()).toEqual({
      mcpServers: {
        plat: {
          type: 'http',
          url: `http://127.0.0.1:${shown.port}/mcp`,
          headers: { Authorization: `Bearer ${token}` },
        },
      },
    });
  });

  it.each([
    ['that others may read', 0o644, 'a-token-of-more-than-32-characters-1', 'MCP_TOKEN_EXPOSED'],
    ['that is short', 0o600, 'short', 'MCP_TOKEN_UNREADABLE'],
    ['that is empty', 0o600, '', 'MCP_TOKEN_UNREADABLE'],
  ])('does not start with a token %s', async (_, mode, token, code) => {
    const machine = await newMachine();
    const file = join(machine.home, 'token');
    await writeFile(file, token);
    await chmod(file, mode);
    const run = await machine.plat(['mcp', '--port', '0', '--token-file', file, '--json']);
    expect(run.json()).toMatchObject({ code });
    if (token !== '') expect(run.stdout + run.stderr).not.toContain(token);
  });

  it('refuses requests that a page in a browser sends under its own host name', async () => {
    const machine = await newMachine();
    const { url, port } = await startServer(machine, ['--allow-host', 'mcp.example.com']);
    const authorization = `Bearer ${await mcpToken(machine)}`;
    const post = (headers: Record<string, string>) => send(url, { headers: { authorization, ...headers } });
    expect(new URL(url).hostname).toBe('127.0.0.1');
    for (const headers of [
      { host: `evil.example.com:${port}` },
      { host: `x@localhost:${port}` },
      { host: 'localhost/evil.example.com' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
    ] as Array<Record<string, string>>) {
      expect({ headers, ...(await post(headers)) }).toMatchObject({ headers, status: 403 });
    }
    expect(await post({ host: 'mcp.example.com', origin: `http://localhost:${port}` })).toMatchObject({
      status: 200,
    });
  });

  it('a target with a host of its own does not get past the Host check', async () => {
    const machine = await newMachine();
    const { port } = await startServer(machine);
    const authorization = `Authorization: Bearer ${await mcpToken(machine)}`;
    const own = `Host: localhost:${port}`;
    for (const [target, ...hosts] of [
      [`http://evil.example.com/mcp`, own],
      [`http://localhost:${port}/mcp`, own],
      [`http://localhost:${port}/mcp`, 'Host: evil.example.com'],
      ['*', own],
      ['/mcp', own, 'Host: evil.example.com'],
      ['/mcp', 'Host: evil.example.com', own],
    ] as string[][]) {
      const lines = [`GET ${target} HTTP/1.1`, ...hosts, authorization, 'Connection: close'];
      expect([target, hosts, await sendRaw(port, lines)]).toEqual([
        target,
        hosts,
        expect.stringMatching(/^HTTP\/1\.1 40[03] /),
      ]);
    }
  });

  it('reports that the port is taken', async () => {
    const machine = await newMachine();
    const { port } = await startServer(machine);
    const run = await machine.plat(['mcp', '--port', port, '--json']);
    expect(run).toMatchObject({ code: 1 });
    expect(run.json()).toMatchObject({ code: 'CANNOT_LISTEN' });
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

    it('takes a token of the platform of the same user, and of no other. Rule I5', async () => {
      const machine = await machineOfAlice();
      const { url } = await startServer(machine);
      const own = await tokenOf('alice', { jti: 'of-another-client' });
      expect(await send(url, bearer(own))).toMatchObject({ status: 200, session: expect.any(String) });
      expect(await send(url, bearer(await tokenOf('bob')))).toMatchObject({ status: 401 });
      const now = Math.floor(Date.now() / 1000);
      for (const claims of [
        { aud: 'https://another.example' },
        { iss: 'https://another.example' },
        { exp: now - 60 },
      ]) {
        const token = await tokenOf('alice', claims);
        expect({ claims, ...(await send(url, bearer(token))) }).toMatchObject({ claims, status: 401 });
      }
      const [head = '', payload = ''] = own.split('.');
      expect(await send(url, bearer(`${head}.${payload}.AAAA`))).toMatchObject({ status: 401 });
    });

    it('answers 503 for such a token if the platform cannot be asked, and the own token still counts', async () => {
      const machine = await machineOfAlice();
      const { url } = await startServer(machine);
      const alias = join(machine.configFolder, 'config.yaml');
      const config = await readFile(alias, 'utf8');
      await writeFile(alias, config.replaceAll(service.url, 'http://127.0.0.1:1'));
      const token = await tokenOf('alice', { jti: 'of-nowhere' });
      expect(await send(url, bearer(token))).toMatchObject({ status: 503, session: undefined });
      expect(await send(url, bearer(await mcpToken(machine)))).toMatchObject({ status: 200 });
    });
  });
});

function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
}
