import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a refused caller may take to read the refusal. */
export const REFUSAL_MILLISECONDS_MAX = 1000;
/** Most refused connections that are open at once. Those beyond are closed without an answer. */
const REFUSED_MAX = 64;

/**
 * Answers with 503 on each connection beyond the most that may be open at once: a caller needs no token to open one, and
 * each takes memory and a file of this process.
 *
 * @param server has its listener for connections already
 */
export function limitConnections(server: Server, connectionsMax: number): void {
  const open = new Set<Socket>();
  const listeners = server.listeners('connection') as Array<(socket: Socket) => void>;
  server.removeAllListeners('connection');
  server.maxConnections = connectionsMax + REFUSED_MAX;
  server.on('connection', (socket: Socket) => {
    if (open.size >= connectionsMax) return refuse(socket, connectionsMax);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    for (const listener of listeners) listener.call(server, socket);
  });
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
