import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a refused caller may take to read the refusal. */
export const REFUSAL_MILLISECONDS_MAX = 1000;
/** Most refused connections that are open at once. Those beyond are closed without an answer. */
const REFUSED_MAX = 64;

/** The connections of a server. */
export interface LimitedConnections {
  /** Keeps the connection of a caller who has shown that it may call. */
  admit(socket: Socket): void;
}

/**
 * Bounds the connections that are open at once: a caller needs no token to open one, and each takes memory and a file of this
 * process. The oldest connection whose caller is not admitted gives way to a new one: it may have sent half a request, and be
 * there to keep others out. If all are admitted, a new one is answered with 503.
 *
 * @param server has its listener for connections already
 */
export function limitConnections(server: Server, connectionsMax: number): LimitedConnections {
  const open = new Set<Socket>();
  const unknown = new Set<Socket>();
  const forget = (socket: Socket) => [open, unknown].forEach((connections) => connections.delete(socket));
  const listeners = server.listeners('connection') as Array<(socket: Socket) => void>;
  server.removeAllListeners('connection');
  server.maxConnections = connectionsMax + REFUSED_MAX;
  server.on('connection', (socket: Socket) => {
    const [oldest] = unknown;
    if (open.size >= connectionsMax) {
      if (oldest === undefined) return refuse(socket, connectionsMax);
      forget(oldest);
      oldest.destroy();
    }
    open.add(socket);
    unknown.add(socket);
    socket.once('close', () => forget(socket));
    for (const listener of listeners) listener.call(server, socket);
  });
  return { admit: (socket) => void unknown.delete(socket) };
}

function refuse(socket: Socket, connectionsMax: number): void {
  const message = `${connectionsMax} connections are open: close one, then repeat the request.`;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  const timer = setTimeout(() => socket.destroy(), REFUSAL_MILLISECONDS_MAX);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => undefined);
  // A socket that is closed with unread bytes loses the answer.
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
