import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

/** Largest request body, in bytes. Decision A9. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** A body as it came: judged only once the caller is known, so that 401 and 403 come before any word about it. */
export type ReceivedBody = { bytes: Buffer } | { fault: 'too_large' | 'cut_short' };

/** Takes every body as bytes, whatever its content type says, were it unreadable: bodies are JSON. */
export function receiveBodiesAsBytes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // fastify would refuse an unreadable one before the caller is known.
    delete request.raw.headers['content-type'];
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request: unknown, payload: IncomingMessage) => receive(payload));
}

/** Reads a body to its end; what goes over the limit is read and dropped, so that the answer can be delivered. */
async function receive(payload: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
    }
  } catch {
    return { fault: 'cut_short' };
  }
  return size > BODY_BYTES_MAX ? { fault: 'too_large' } : { bytes: Buffer.concat(chunks) };
}
