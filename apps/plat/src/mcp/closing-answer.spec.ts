import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { answerAndClose } from './closing-answer';

/** More than the system takes of a connection that is not read. */
const BODY_BYTES = 16_000_000;

describe('an answer that closes its connection', () => {
  let server: Server;
  let socket: Socket;
  beforeEach(async () => {
    const answer = { status: 401, headers: {}, body: 'refused' };
    server = createServer((request, response) => answerAndClose(request, response, answer));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  });
  afterEach(async () => {
    socket.destroy();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });

  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;

  it('reaches a caller that sends its whole body before it reads', async () => {
    await promisify<string>(socket.write.bind(socket))(head + ' '.repeat(BODY_BYTES));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [^]*refused$/);
  });

  it('does not wait for a body that never ends', async () => {
    socket.write(`${head} `);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [^]*refused$/);
  });
});
