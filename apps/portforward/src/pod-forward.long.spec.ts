import { once } from 'node:events';
import type { Socket } from 'node:net';
import { loadClusterLibrary } from './black-box/cluster-library';
import { firstBytes, ForwardStand, readAll } from './black-box/forward-stand';
const MIB = 1024 * 1024;
/** Far more than the buffers of the system hold. */
const MANY = 80;
/** How long a count must stay the same to count as final. */
const QUIET_MS = 300;

loadClusterLibrary();

let stand: ForwardStand;

async function start(options: Parameters<typeof ForwardStand.start>[0] = {}): Promise<ForwardStand> {
  stand = await ForwardStand.start(options);
  return stand;
}

afterEach(() => stand.stop());
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

describe('data', () => {
  it('keeps little of what the local program does not read, and loses none of it', async () => {
    await start();
    let sent = 0;
    const pour = (socket: Socket) => {
      if (sent === MANY) return void socket.end();
      sent += 1;
      socket.write(Buffer.alloc(MIB), () => pour(socket));
    };
    stand.addService(await stand.program(pour));
    const socket = await stand.connect();
    socket.pause();
    expect(await waitUntilSteady(() => sent)).toBeLessThan(40);
    expect((await readAll(socket)).length).toBe(MANY * MIB);
  });

  it('keeps little of what the pod does not read, and loses none of it', async () => {
    await start();
    let received = 0;
    let inPod: Socket | undefined;
    stand.addService(
      await stand.program((socket) => {
        inPod = socket.pause();
        socket.on('data', (data) => (received += data.length));
        socket.pause();
      }),
    );
    const socket = await stand.connect();
    let sent = 0;
    const pour = () => {
      if (sent === MANY) return;
      sent += 1;
      socket.write(Buffer.alloc(MIB), pour);
    };
    pour();
    expect(await waitUntilSteady(() => sent)).toBeLessThan(40);
    const socketInPod = inPod!;
    socketInPod.resume();
    while (received < MANY * MIB) await once(socketInPod, 'data');
    expect(received).toBe(MANY * MIB);
  });

  it('carries 200 connections at once', async () => {
    await start();
    stand.addService(await stand.program(echo));
    const sockets = await Promise.all(Array.from({ length: 200 }, () => stand.connect()));
    const answers = await Promise.all(
      sockets.map(async (socket, i) => {
        socket.write(`connection ${i}`);
        return firstBytes(socket);
      }),
    );
    expect(answers).toEqual(sockets.map((_, i) => `connection ${i}`));
    expect(stand.failed).toEqual([]);
  });
});
