import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/**
 * The TLS of PostgreSQL's protocol in front of a server without it, on a free port.
 *
 * @param port of the server, on 127.0.0.1
 */
export async function serveTls(own: { key: string; cert: string }, port: number): Promise<Server> {
  const secureContext = createSecureContext(own);
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      const database = connect(port, '127.0.0.1');
      const sides = [secure, database];
      for (const side of sides) {
        side.on('error', () => sides.forEach((one) => one.destroy()));
      }
      secure.pipe(database).pipe(secure);
    });
  });
  server.listen(0);
  await once(server, 'listening');
  return server;
}
