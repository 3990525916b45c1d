import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of a connection that are not answered yet. Edges and clients send one at a time. */
export const UNANSWERED_MAX = 16;

/**
 * Cuts a connection that sends many requests without waiting for their answers: each of them takes memory until it is
 * answered, and Node reads on for as long as no answer is written. Has Node read all headers of a request, whose bytes are
 * bounded, since it would pass over those beyond the two thousandth, the length of a body among them.
 */
export function boundConnections(server: Server): void {
  server.maxHeadersCount = 0;
  const listeners = server.listeners('request') as RequestListener[];
  const unanswered = new WeakMap<Socket, number>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // Node reads what has arrived with the last request to its end.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED_MAX) return void socket.destroy();
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}
