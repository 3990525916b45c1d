import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { REFUSAL_MILLISECONDS_MAX } from './connection-limit';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  /** Empty: none. */
  body: string;
}

/**
 * Answers a caller that has proven nothing, and closes the connection: each that stays open counts among the most that
 * may be open at once. The whole answer is sent at once, but a caller that still sends its body gets a moment to end it,
 * because a socket that is closed with unread bytes loses the answer.
 */
export function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): void {
  if (response.destroyed) return;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length, connection: 'close' });
  if (length > 0) response.write(body);
  else response.flushHeaders();
  const timer = setTimeout(() => request.socket.destroy(), REFUSAL_MILLISECONDS_MAX);
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end()).resume();
}
