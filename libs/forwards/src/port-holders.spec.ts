import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReservedPorts, reservePorts, spawn } from '@plat/testing';
import { type ListeningSocket, lsofHolders, socketsByLsof, socketsIn } from './listening-sockets';
import { holdersOfPort } from './port-holders';

let open: Server[];
let children: ChildProcess[];
let reserved: ReservedPorts;
beforeEach(async () => {
  open = [];
  children = [];
  reserved = await reservePorts();
});
afterEach(async () => {
  await reserved.release();
  for (const server of open) {
    server.close();
    await once(server, 'close');
  }
  for (const child of children) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

async function listen(host: string): Promise<number> {
  const server = createServer();
  open.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the holder of a port', () => {
  it.each(['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'])(
    'is the process that listens on %s',
    async (host) => {
      const holders = await holdersOfPort(await listen(host));
      expect(holders.map((holder) => holder.process?.pid)).toEqual([process.pid]);
      expect(holders[0]?.name).toContain(`process ${process.pid} (${process.argv0}`.slice(0, 12));
    },
  );

  it('is no one if the port is free', async () => {
    expect(await holdersOfPort(reserved.start)).toEqual([]);
  });

  it('is another process, by its command, without control characters', async () => {
    const text =
      'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); });\n';
    const child = spawn(process.execPath, ['-e', text, 'a\u001b[31mb'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const [holder] = await holdersOfPort(Number(port.toString()));
    expect(holder?.process?.pid).toBe(child.pid);
    expect(holder?.name).toMatch(new RegExp(`^process ${child.pid} \\(`));
    expect(holder?.name).not.toMatch(/\p{Cc}/u);
    expect(holder?.name.length).toBeLessThan(300);
  });
});

describe('a holder that ends during the look', () => {
  /** Returns a lister of sockets that gives these lists, one look after the other. */
  function looks(...all: ListeningSocket[][]) {
    return () => Promise.resolve(all.shift() ?? []);
  }

  it.each<[string, ListeningSocket]>([
    ['its socket has no process any more', { isOwn: true }],
    ['its process has ended', { pid: 2 ** 30, isOwn: true }],
  ])('is no holder: %s', async (_what, socket) => {
    expect(await holdersOfPort(1, undefined, looks([socket], []))).toEqual([]);
  });

  it('gives way to the next holder', async () => {
    const next = { pid: process.pid, isOwn: true };
    const holders = await holdersOfPort(1, undefined, looks([{ isOwn: true }], [next]));
    expect(holders.map((holder) => holder.process?.pid)).toEqual([process.pid]);
  });

  it('is not waited for if it is another user’s: it is unseen as long as it runs', async () => {
    const list = looks([{ isOwn: false }], []);
    expect(await holdersOfPort(1, undefined, list)).toEqual([{ name: "another user's process" }]);
  });
});

describe('a port whose holder the system does not name', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-holders-'))));
  afterEach(() => rm(folder, { recursive: true }));
  const lists: Record<string, (port: number) => Promise<ListeningSocket[]>> = {
    'without lsof': (port) => socketsByLsof(join(folder, 'none'), port),
    'without /proc': (port) => socketsIn(join(folder, 'none'), port),
  };

  it.each(Object.entries(lists))('is taken all the same, %s', async (_what, list) => {
    const port = await listen('127.0.0.1');
    expect(await holdersOfPort(port, undefined, list)).toEqual([{ name: 'a process that cannot be seen' }]);
    expect(await holdersOfPort(reserved.start, undefined, list)).toEqual([]);
  });

  it('is another user’s if lsof sees none', async () => {
    const program = join(folder, 'lsof');
    await writeFile(program, '#!/bin/sh\nexit 1\n', { mode: 0o700 });
    const list = (port: number) => socketsByLsof(program, port);
    expect(await holdersOfPort(await listen('127.0.0.1'), undefined, list)).toEqual([
      { name: "another user's process" },
    ]);
    expect(await holdersOfPort(reserved.start, undefined, list)).toEqual([]);
  });
});

describe('the processes that lsof lists', () => {
  it('are those on this machine’s own address or on every address', () => {
    const text = [
      'p100',
      'f20',
      'n127.0.0.1:17022',
      'p200',
      'f5',
      'n*:17022',
      'f6',
      'n[::1]:17022',
      'p300',
      'f1',
    ];
    expect(lsofHolders([...text, 'n192.168.1.5:17022', 'p400', 'f9', 'n[::]:17022', ''].join('\n'))).toEqual([
      100, 200, 400,
    ]);
  });

  it('are none in an empty answer', () => {
    expect(lsofHolders('')).toEqual([]);
  });
});
