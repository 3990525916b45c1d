import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { loadClusterLibrary } from './black-box/cluster-library';
import { firstBytes, ForwardStand, readAll, TARGET } from './black-box/forward-stand';

const POD = 'acme-dev/acme-api-0';
const LABELS = { app: 'acme-api' };

loadClusterLibrary();

let stand: ForwardStand;
beforeEach(async () => {
  stand = await ForwardStand.start();
});
afterEach(() => stand.stop());

const dials = () => stand.api.requests.filter((request) => request.startsWith('DIAL'));

/** A program that repeats the first bytes and ends. */
const repeat = (socket: Socket) => void socket.once('data', (data) => socket.end(data));

const echo = (socket: Socket) => void socket.pipe(socket);

/** Sends a text to a program that ends after its reply, and returns the reply. */
async function ask(text: string): Promise<string> {
  const socket = await stand.connect();
  socket.write(text);
  const reply = (await readAll(socket)).toString();
  await stand.nextEnd();
  return reply;
}

describe('a session to a pod', () => {
  it('carries one connection after the other', async () => {
    stand.addService(await stand.program(repeat));
    for (const word of ['one', 'two', 'three']) expect(await ask(word)).toBe(word);
    expect(dials()).toHaveLength(1);
  });

  it('carries one connection at a time: each reader waits for itself alone', async () => {
    stand.addService(await stand.program(echo));
    const sockets = [await stand.connect(), await stand.connect()];
    for (const socket of sockets) {
      socket.write('hello');
      expect(await firstBytes(socket)).toBe('hello');
    }
    expect(dials()).toHaveLength(2);
  });

  it('is not used for a pod that has the name of an earlier one', async () => {
    stand.addService(await stand.program(repeat));
    expect(await ask('one')).toBe('one');
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set(POD, { uid: 'later', labels: LABELS, isReady: true, ports });
    expect(await firstBytes(await stand.connect())).toBe('two');
    expect(dials()).toHaveLength(2);
  });

  it('is not used again once the API server has cut it', async () => {
    stand.addService(await stand.program(repeat));
    expect(await ask('one')).toBe('one');
    await stand.api.restart();
    expect(await ask('two')).toBe('two');
    expect(dials()).toHaveLength(2);
  });

  it('gives way to a fresh one if the node does not answer any more', async () => {
    const port = await stand.program(repeat);
    stand.addService(port);
    expect(await ask('one')).toBe('one');
    // As after a sleep, the TCP connection seems to be there, but its other end does not read it.
    stand.api.stall();
    expect(await ask('two')).toBe('two');
    expect(dials()).toHaveLength(2);
  });

  it('ends with a connection that the local program cut, so that nothing of it reaches the next', async () => {
    stand.addService((tunnel) => tunnel.stream.send(randomBytes(100_000)));
    const socket = await stand.connect();
    await firstBytes(socket);
    socket.resetAndDestroy();
    await stand.nextEnd();
    stand.addService(await stand.program(repeat));
    expect(await ask('two')).toBe('two');
    expect(dials()).toHaveLength(2);
  });
});

describe('an API server before Kubernetes 1.31', () => {
  it.each([
    ['refuses the WebSocket', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', 'status 403'],
    ['answers no WebSocket', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', 'answers 200 to a WebSocket'],
  ])('that %s is named', async (_how, answer, words) => {
    stand.addService(await stand.program(echo));
    stand.api.insteadOfAnswer = ({ headers }, socket) => {
      if (headers.upgrade) socket.end(answer);
      return !headers.upgrade;
    };
    const socket = await stand.connect();
    await readAll(socket).catch(() => undefined);
    expect(stand.failed.at(-1)).toContain(words);
    expect(stand.failed.at(-1)).toContain('Kubernetes 1.31');
  });

  it('that speaks another protocol is named', async () => {
    stand.addService(await stand.program(echo));
    stand.api.streams.protocol = 'v4.channel.k8s.io';
    const socket = await stand.connect();
    await readAll(socket).catch(() => undefined);
    expect(stand.failed.at(-1)).toContain('does not speak SPDY/3.1+portforward.k8s.io');
  });
});
