import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The most unanswered requests of a connection. Edges and clients send one at a time. */
export const UNANSWERED_MAX = 16;

/**
 * Cuts a connection that sends many requests without waiting for their answers: each of them takes memory until it is
 * answered, and Node reads on for as long as no answer is written. Has Node read all headers of a request, whose bytes are
 * bounded, since it would pass over those beyond the two thousandth, the length of a body among them.
 *
 * @param server has its listeners for requests already
 */
export function boundConnections(server: Server): void {
  server.maxHeadersCount = 0;
  const unanswered = new WeakMap<Socket, number>();
  // Node answers an expectation that it does not know by itself, unless there is a listener.
  if (server.listenerCount('checkExpectation') === 0) server.on('checkExpectation', refuseExpectation);
  for (const event of ['request', 'checkExpectation']) {
    const listeners = server.listeners(event) as RequestListener[];
    server.removeAllListeners(event);
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      if (!take(unanswered, request.socket, response)) return;
      for (const listener of listeners) listener.call(server, request, response);
    });
  }
}

/** @returns whether the request is to be answered */
function take(unanswered: WeakMap<Socket, number>, socket: Socket, response: ServerResponse): boolean {
  // Node reads what has arrived with the last request to its end.
  if (socket.destroyed) return false;
  const count = (unanswered.get(socket) ?? 0) + 1;
  if (count > UNANSWERED_MAX) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, count);
  response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
  return true;
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { connection: 'close' }).end();
}
