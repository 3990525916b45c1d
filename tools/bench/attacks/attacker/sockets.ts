import { connect, type Socket } from 'node:net';
import type { AttackRequest } from '../order';
import type { Attack } from './tally';

const MEBIBYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNK_ON_THE_WIRE = Buffer.concat([
  Buffer.from(`${CHUNK.length.toString(16)}\r\n`),
  CHUNK,
  Buffer.from('\r\n'),
]);

/** Sends requests on one connection and never reads an answer. When the connection is cut, opens another. */
export function takeNothing(attack: Attack): Promise<void> {
  return again(attack, async (socket) => {
    const { requests, token = '' } = attack.order;
    socket.pause();
    for (const request of requests) {
      socket.write(`${head(request)}Authorization: Bearer ${token}\r\n\r\n`);
    }
    await waitForClose(socket);
  });
}

/** Sends bodies without a token. On every other connection the body never ends. */
export function sendBodies(attack: Attack, place: number): Promise<void> {
  const [request] = attack.order.requests;
  return again(attack, async (socket) => {
    const end = waitForClose(socket);
    socket.once('data', (data) => attack.tally.answered(Number(data.toString('latin1').split(' ')[1])));
    if (place % 2 === 0) {
      socket.write(`${head(request!)}Content-Length: ${MEBIBYTE}\r\n\r\n`);
      for (let sent = 0; sent < MEBIBYTE && socket.writable; sent += CHUNK.length) socket.write(CHUNK);
    } else {
      socket.write(`${head(request!)}Transfer-Encoding: chunked\r\n\r\n`);
      while (socket.writable) {
        if (!socket.write(CHUNK_ON_THE_WIRE)) await Promise.race([waitForDrain(socket), end]);
      }
    }
    await end;
  });
}

const head = ({ method, path }: AttackRequest): string => `${method} ${path} HTTP/1.1\r\nHost: bench\r\n`;

/** Does the work on one connection after the other until the attack is stopped. */
async function again({ order, tally, stopped }: Attack, work: (socket: Socket) => Promise<void>) {
  const { hostname, port } = new URL(order.url);
  while (!stopped.aborted) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    const stop = () => socket.destroy();
    stopped.addEventListener('abort', stop);
    await work(socket);
    stopped.removeEventListener('abort', stop);
    tally.cut++;
  }
}

const waitForClose = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));

const waitForDrain = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('drain', () => resolve()));
