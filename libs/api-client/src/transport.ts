import {
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { request as requestSecured } from 'node:https';
import { refuseProtocolSwitch } from '@plat/local';

/**
 * Sends the requests of the HTTP client.
 *
 * @param timeout milliseconds of silence, also while the connection is made; 0: no limit
 */
export const transport = (timeout: number) => ({
  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const send = options.protocol?.startsWith('https') ? requestSecured : requestPlain;
    return refuseProtocolSwitch(send({ ...options, timeout }, onAnswer));
  },
});
