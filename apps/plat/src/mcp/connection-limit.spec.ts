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
    server = createServer((_request, response) => response.end('served'));
    limitConnections(server, 2);
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

  it('answers 503 on those beyond, and serves again after one has ended', async () => {
    const [first, second] = [await open(), await open()];
    const refused = await ask(await open());
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('2 connections are open: close one, then repeat the request.');
    expect(await ask(first)).toContain('served');
    expect(await ask(await open())).toContain('served');
    expect(await ask(second)).toContain('served');
  });
});
