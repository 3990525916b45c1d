import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { makeSelfSignedCertificate, type PodTunnel } from '@plat/testing';
import { loadClusterLibrary } from './black-box/cluster-library';
import { endOf, firstBytes, ForwardStand, readAll } from './black-box/forward-stand';

const MILLION = 1_000_000;
const MIB = 1024 * 1024;
/** How long a count must stay the same to count as final. */
const QUIET_MS = 300;

loadClusterLibrary();

let stand: ForwardStand;

async function start(options: Parameters<typeof ForwardStand.start>[0] = {}): Promise<ForwardStand> {
  stand = await ForwardStand.start(options);
  return stand;
}

afterEach(() => stand.stop());

const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');
const echo = (socket: Socket) => void socket.pipe(socket);

/** The program's bytes, once no more are taken. */
async function waitUntilSteady(count: () => number): Promise<number> {
  let before = -1;
  while (count() === 0 || count() !== before) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
  return before;
}

async function readEcho(socket: Socket, data: Buffer): Promise<Buffer> {
  socket.write(data);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length === data.length) break;
  }
  return Buffer.concat(chunks);
}

describe('data', () => {
  it.each(['plain', 'tls'])('carries a million bytes unchanged both ways at once (%s)', async (kind) => {
    await start({ tls: kind === 'tls' ? await makeSelfSignedCertificate() : undefined });
    stand.addService(await stand.program(echo));
    const data = randomBytes(MILLION);
    expect(digest(await readEcho(await stand.connect(), data))).toBe(digest(data));
    expect(await stand.nextEnd()).toEqual(
      expect.objectContaining({ sent: MILLION, received: MILLION, failure: undefined }),
    );
  });

  it('cuts those beyond the most at once, with one report, until another has ended', async () => {
    await start({ connectionsMax: 2 });
    stand.addService(await stand.named('pod'));
    const [first, second] = [await stand.connect(), await stand.connect()];
    expect([await firstBytes(first), await firstBytes(second)]).toEqual(['pod', 'pod']);
    // The cut may come before the program knows that it is connected.
    const third = () => stand.connect().then(endOf, () => 'cut');
    for (let turn = 0; turn < 3; turn += 1) expect(await third()).toBe('cut');
    expect(stand.failed).toEqual(['2 connections are open: no other is carried until one of them ends.']);
    const ended = stand.nextEnd();
    first.destroy();
    await ended;
    expect(await firstBytes(await stand.connect())).toBe('pod');
  });
});

describe('the end of a connection', () => {
  it('brings the reply to a program that has closed its sending half', async () => {
    await start();
    // The pod replies in two parts, long after the request.
    const reply = (socket: Socket) =>
      socket.once('data', () => {
        socket.write('first ');
        setTimeout(() => socket.end('second'), 500);
      });
    stand.addService(await stand.program(reply, { allowHalfOpen: true }));
    const socket = await stand.connect({ allowHalfOpen: true });
    socket.end('request');
    expect((await readAll(socket)).toString()).toBe('first second');
    expect(await stand.nextEnd()).toEqual(expect.objectContaining({ failure: undefined, received: 12 }));
  });

  it('ends the connection in the pod if the program has closed its socket, though the pod would not', async () => {
    await start();
    const ended = stand.program((socket) => {
      socket.write('hello');
      socket.once('end', () => socket.end());
    });
    stand.addService(await ended);
    const socket = await stand.connect();
    await firstBytes(socket);
    socket.destroy();
    expect(await stand.nextEnd()).toEqual(expect.objectContaining({ failure: undefined }));
  });

  it('gives the pod all that was sent before the program closed its socket', async () => {
    await start();
    let deliver: (data: Buffer) => void = () => undefined;
    const received = new Promise<Buffer>((resolve) => (deliver = resolve));
    stand.addService(await stand.program((socket) => void readAll(socket).then(deliver)));
    const socket = await stand.connect();
    const data = randomBytes(MILLION);
    socket.end(data, () => socket.destroy());
    expect(digest(await received)).toBe(digest(data));
  });

  it("ends the local socket with the pod's end after the reply", async () => {
    await start();
    stand.addService(await stand.program((socket) => socket.end(Buffer.alloc(MILLION, 'x'))));
    const socket = await stand.connect();
    const ended = endOf(socket);
    expect(await ended).toBe('end');
    expect(socket.bytesRead).toBe(MILLION);
  });

  it('cuts the local socket at once if the API server dies', async () => {
    await start();
    stand.addService(await stand.named('one'));
    const socket = await stand.connect();
    await firstBytes(socket);
    const ended = endOf(socket);
    stand.api.cut();
    expect(await ended).toBe('cut');
    expect((await stand.nextEnd()).failure).toBe('The connection to the pod was cut (1006).');
  });

  it('cuts the local socket at once if the error channel speaks', async () => {
    await start();
    let tunnel: PodTunnel | undefined;
    stand.addService((opened) => {
      tunnel = opened;
      opened.stream.send(Buffer.from('hello'));
    });
    const socket = await stand.connect();
    await firstBytes(socket);
    const ended = endOf(socket);
    tunnel?.stream.fail('lost connection to pod');
    expect(await ended).toBe('cut');
    expect((await stand.nextEnd()).failure).toBe('lost connection to pod');
  });

  it('cuts the local socket if nothing listens in the pod, with the reason', async () => {
    await start();
    stand.addService(1);
    stand.api.pods.set('acme-dev/acme-api-0', { labels: { app: 'acme-api' }, isReady: true, ports: {} });
    expect(await endOf(await stand.connect())).toBe('cut');
    expect((await stand.nextEnd()).failure).toContain('connection refused');
    expect(stand.replied).toEqual([]);
  });

  it('ends the WebSocket if the local program resets its socket', async () => {
    await start();
    const closed = new Promise<void>((resolve) => {
      stand.addService((tunnel) => {
        tunnel.stream.webSocket.once('close', () => resolve());
        tunnel.stream.send(Buffer.from('hello'));
      });
    });
    const socket = await stand.connect();
    await firstBytes(socket);
    socket.resetAndDestroy();
    await closed;
    expect((await stand.nextEnd()).failure).toBeUndefined();
  });
});

describe('a dead peer', () => {
  it('is found by a ping', async () => {
    await start({ beat: 100 });
    stand.addService((tunnel) => {
      tunnel.stream.send(Buffer.from('hello'));
      // The TCP connection stays; no one reads it any more.
      tunnel.socket.pause();
    });
    const socket = await stand.connect();
    await firstBytes(socket);
    expect(await endOf(socket)).toBe('cut');
    expect((await stand.nextEnd()).failure).toBe('The pod does not answer: a ping was lost.');
  });

  it('is not a pod that answers pings and sends nothing', async () => {
    await start({ beat: 250 });
    const pings = new Promise<void>((resolve) => {
      let count = 0;
      stand.addService((tunnel) => {
        tunnel.streams.onPing = () => {
          if (++count === 3) resolve();
          return true;
        };
        tunnel.stream.onData = (data) => tunnel.stream.send(data);
      });
    });
    const socket = await stand.connect();
    await pings;
    socket.write('still there');
    expect(await firstBytes(socket)).toBe('still there');
  });

  it('is not a local program that reads nothing', async () => {
    await start({ beat: 250 });
    let sent = 0;
    const pour = (socket: Socket) => {
      if (sent === 20) return void socket.end();
      sent += 1;
      socket.write(Buffer.alloc(MIB), () => pour(socket));
    };
    stand.addService(await stand.program(pour));
    const socket = await stand.connect();
    socket.pause();
    await waitUntilSteady(() => sent);
    expect((await readAll(socket)).length).toBe(20 * MIB);
  });
});
