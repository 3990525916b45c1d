import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { limitConnections } from './connection-limit';

describe('a server with a limit of connections', () => {
  let server: Server;
  let port: number;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = createServer(({ url, socket }, response) => {
      if (url === '/admitted') connections.admit(socket);
      response.end('served');
    });
    const connections = limitConnections(server, 2);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });

  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return text(socket);
  };

  async function openAdmitted(): Promise<Socket> {
    const socket = await open();
    socket.write('GET /admitted HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    return socket;
  }

  it('answers 503 on those beyond, if all are of admitted callers, and serves again after one has ended', async () => {
    const [first, second] = [await openAdmitted(), await openAdmitted()];
    const refused = await ask(await open());
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('2 connections are open: close one, then repeat the request.');
    expect(await ask(first)).toContain('served');
    expect(await ask(await open())).toContain('served');
    expect(await ask(second)).toContain('served');
  });

  it('closes the oldest of a caller that is not admitted, such as one with half a request, for a new one', async () => {
    const [half, admitted] = [await open(), await openAdmitted()];
    half.write('GET / HTTP/1.1\r\n');
    const ended = once(half, 'close');
    expect(await ask(await open())).toContain('served');
    await ended;
    expect(await ask(admitted)).toContain('served');
  });
});
