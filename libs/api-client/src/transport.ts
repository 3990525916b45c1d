import {
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { request as requestSecured } from 'node:https';

/**
 * Sends the requests of the HTTP client. Node closes the connection without a word if an answer is 101 Switching Protocols:
 * the call would never end, and a process with nothing else to do would end as if it had done its work.
 *
 * @param timeout milliseconds of silence, also while the connection is made; 0: no limit
 */
export const transport = (timeout: number) => ({
  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const send = options.protocol?.startsWith('https') ? requestSecured : requestPlain;
    const request = send({ ...options, timeout }, onAnswer);
    return request.once('upgrade', (_answer, socket) => {
      socket.destroy();
      request.emit('error', Object.assign(new Error('protocol switched'), { code: 'EPROTO' }));
    });
  },
});
