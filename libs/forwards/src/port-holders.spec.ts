import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { identify, isThere } from '@plat/local';
import { holdersOfPort } from './port-holders';
import { probe } from './probe';
import { readProcess, startOf } from './running-process';
import { stopForward } from './stop-forward';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

/** A process that runs until it is ended. */
async function running(script: string, words: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => 0, 1000)`], {
    argv0: words.join(' '),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

async function listening(serve: Parameters<typeof createServer>[1] = () => undefined) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe('the holder of a port', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::', '::1'])(
    'is found by the tables of the system: %s',
    async (address) => {
      const server = createServer().listen(0, address);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const [holder] = await holdersOfPort(port);
      expect(holder?.process?.pid).toBe(process.pid);
      expect(holder?.name).toContain(`process ${process.pid} (`);
      server.close();
      await once(server, 'close');
      expect(await holdersOfPort(port)).toEqual([]);
    },
  );

  it('has no control characters in its name', async () => {
    const script =
      "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
    const child = spawn(process.execPath, ['-e', script, '--', 'a\n\u001b[31mb'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const [holder] = await holdersOfPort(Number(port));
    expect(holder?.name).not.toMatch(/\p{Cc}/u);
  });
});

describe('a process that is to be stopped', () => {
  it('is left alone if it is no port-forward', async () => {
    const child = await running('', ['node']);
    const found = await readProcess(child.pid!);
    expect(await stopForward(found!)).toBe(false);
    expect(await isThere(found!)).toBe(true);
  });

  it('counts as ended if its id belongs to a later process', async () => {
    const child = await running('', ['node']);
    const found = await readProcess(child.pid!);
    expect(await stopForward({ ...found!, began: 'earlier' })).toBe(true);
    expect(await identify(child.pid!)).toBeDefined();
  });

  it('began at a time that can be shown', async () => {
    expect(Date.parse((await startOf(process.pid))!)).toBeLessThanOrEqual(Date.now());
    expect(await startOf(2 ** 22 + 1)).toBeUndefined();
  });
});

describe('the probe of a channel', () => {
  it('of SSH wants a banner, of MCP any answer, of the API a 2xx. Decision G11', async () => {
    const http = (status: number) =>
      listening(
        (socket) =>
          void socket.once('data', () => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)),
      );
    const [ssh, refusing, healthy] = [
      await listening((socket) => void socket.write('a line before\r\nSSH-2.0-x\r\n')),
      await http(503),
      await http(204),
    ];
    expect(await probe('sshd', ssh.port, 1000)).toEqual({ alive: true });
    expect(await probe('mcp', refusing.port, 1000)).toEqual({ alive: true });
    expect(await probe('api', refusing.port, 1000)).toEqual({
      alive: false,
      why: 'GET /healthz answers 503',
    });
    expect(await probe('api', healthy.port, 1000)).toEqual({ alive: true });
    for (const server of [ssh, refusing, healthy]) server.close();
  });

  it('fails with the reason if nothing listens, nothing answers, or the connection ends', async () => {
    const [silent, ending] = [
      await listening((socket) => void socket.on('error', () => 0)),
      await listening((socket) => void socket.end()),
    ];
    expect(await probe('sshd', silent.port, 50)).toEqual({
      alive: false,
      why: 'it does not answer within 0.05 s',
    });
    expect(await probe('sshd', ending.port, 1000)).toMatchObject({ alive: false });
    ending.close();
    expect(await probe('mcp', ending.port, 1000)).toEqual({
      alive: false,
      why: 'nothing listens on the port',
    });
    silent.close();
  });
});
