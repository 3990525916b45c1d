import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { reservePorts } from '@plat/testing';
import type { Channel } from './channel';
import { probe } from './probe';

const SOON = 200;
const LATE = 10_000;
let open: Array<{ server: Server; sockets: Set<Socket> }>;
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const { server, sockets } of open) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

async function serve(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  open.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const http = (statuses: Record<string, number>) =>
  serve(
    createHttpServer((request, response) => {
      // The stream of an MCP server does not end.
      response.writeHead(statuses[`${request.method} ${request.url}`] ?? 500).flushHeaders();
    }),
  );
const raw = (answer: (socket: Socket) => void) => serve(createServer(answer));

describe('a probe. Rule G11', () => {
  it.each([200, 302, 400, 401, 404, 406, 500, 503])('takes %d of GET /mcp for alive', async (status) => {
    expect(await probe('mcp', await http({ 'GET /mcp': status }), LATE)).toEqual({ alive: true });
  });

  it.each([200, 204])('takes %d of GET /healthz for alive', async (status) => {
    expect(await probe('api', await http({ 'GET /healthz': status }), LATE)).toEqual({ alive: true });
  });

  it.each([301, 401, 404, 500, 503])('takes %d of GET /healthz for no answer', async (status) => {
    const port = await http({ 'GET /healthz': status });
    expect(await probe('api', port, LATE)).toEqual({ alive: false, why: `GET /healthz answers ${status}` });
  });

  it.each(['SSH-2.0-OpenSSH_9.9\r\n', 'a word first\r\nSSH-2.0-dropbear\r\n'])(
    'takes %j for alive',
    async (banner) => {
      expect(await probe('sshd', await raw((socket) => socket.write(banner)), LATE)).toEqual({ alive: true });
    },
  );

  it('takes a banner in pieces for alive', async () => {
    const port = await raw((socket) => {
      socket.setNoDelay().write('SS');
      setImmediate(() => socket.write('H-2.0-OpenSSH_9.9\r\n'));
    });
    expect(await probe('sshd', port, LATE)).toEqual({ alive: true });
  });

  it('takes another text for no banner', async () => {
    const port = await raw((socket) => socket.write('x'.repeat(100_000)));
    expect(await probe('sshd', port, LATE)).toEqual({ alive: false, why: 'it sends no SSH banner' });
  });
});

describe.each<Channel>(['mcp', 'sshd', 'api'])('a probe of %s finds', (channel) => {
  it('nobody', async () => {
    const why = 'nothing listens on the port';
    const { start, release } = await reservePorts();
    expect(await probe(channel, start, LATE)).toEqual({ alive: false, why });
    await release();
  });

  it('a server that does not answer', async () => {
    const why = 'it does not answer within 0.2 s';
    expect(await probe(channel, await raw(() => undefined), SOON)).toEqual({ alive: false, why });
  });

  it('a server that ends the connection', async () => {
    expect((await probe(channel, await raw((socket) => socket.end()), LATE)).alive).toBe(false);
    expect((await probe(channel, await raw((socket) => socket.resetAndDestroy()), LATE)).alive).toBe(false);
  });

  it('a server of another protocol', async () => {
    const port = await raw((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect((await probe(channel, port, LATE)).alive).toBe(false);
  });
});
