import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fastify } from 'fastify';
import { boundAnswers } from './answer-limits';

const PIECE = 'x'.repeat(64 * 1024);

/** A server whose only answer never ends. `read` counts the pieces that were read for the answer. */
async function endless(stallMs: number) {
  const server = fastify();
  const read = { pieces: 0, closed: new Promise<void>(() => undefined) };
  boundAnswers(server, stallMs);
  server.get('/', (_request, reply) => {
    const body = new Readable({
      read() {
        read.pieces += 1;
        this.push(PIECE);
      },
    });
    read.closed = once(body, 'close').then(() => undefined);
    return reply.send(body);
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as { port: number };
  return { server, read, port };
}

describe('an answer', () => {
  it('whose reader never reads is cut, and nothing more is read for it', async () => {
    const { server, read, port } = await endless(100);
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    const asked = once(server.server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    while (read.pieces === 0) await setImmediate();
    await read.closed;
    expect(read.pieces).toBeLessThan(1_000);
    socket.destroy();
    await server.close();
  });

  it('to HEAD reads nothing of what GET would send', async () => {
    const { server, read, port } = await endless(10_000);
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(read.pieces).toBeLessThanOrEqual(1);
    await server.close();
  });
});
