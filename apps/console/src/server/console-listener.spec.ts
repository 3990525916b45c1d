import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { UNANSWERED_MAX } from '@plat/local';
import { type ConsoleListener, listen } from './console-listener';

let listener: ConsoleListener;
beforeEach(async () => {
  listener = await listen({
    files: (req, res) => {
      if (req.url !== '/console/') return false;
      res.end('page');
      return true;
    },
    host: '127.0.0.1',
    port: 0,
  });
});

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const request = (headers = '') => `GET /console/ HTTP/1.1\r\nHost: plat\r\n${headers}\r\n`;

describe('the listener of the console', () => {
  it.each([
    ['requests', ''],
    ['requests with an expectation that Node itself refuses', 'Expect: more\r\n'],
  ])('cuts a connection that sends %s without waiting for answers', async (_, headers) => {
    const socket = await openSocket();
    socket.write(request(headers).repeat(500) + request('Connection: close\r\n'));
    const answers = (await text(socket).catch(() => '')).match(/HTTP\/1\.1 \d+ /g) ?? [];
    expect(answers.length).toBeLessThanOrEqual(UNANSWERED_MAX);
    await listener.stop(0);
  });

  it('ends although a client has sent half a request, once it had its time', async () => {
    const socket = await openSocket();
    const cut = once(socket, 'close');
    socket.write('GET /console/ HTTP/1.1\r\nHost: plat\r\nX: ');
    // An answer on another connection shows that the server has read what came before.
    expect((await fetch(`${listener.url}/console/`)).status).toBe(200);
    await listener.stop(0, 100);
    await cut;
  });

  it('lets an answer in flight end before', async () => {
    const answer = fetch(`${listener.url}/console/`);
    await listener.stop(50, 10_000);
    expect(await (await answer).text()).toBe('page');
  });
});
