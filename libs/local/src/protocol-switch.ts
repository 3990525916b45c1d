import type { ClientRequest } from 'node:http';

/**
 * Makes an answer of 101 Switching Protocols an error of a request that does not ask for it. Node would close the
 * connection without an event. The request would never end, and a process with nothing else to do would end as if its
 * work were done.
 */
export function refuseProtocolSwitch(request: ClientRequest): ClientRequest {
  return request.once('upgrade', (_answer, socket) => {
    socket.destroy();
    request.emit('error', Object.assign(new Error('protocol switched'), { code: 'EPROTO' }));
  });
}
