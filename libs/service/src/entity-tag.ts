import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As the route table says. */
    revalidates?: true;
  }
}

/** Bytes of the digest that a tag keeps: enough that two bodies never share one. */
const TAG_BYTES = 16;

/**
 * For clients that poll: a route that the table marks is answered with an entity tag, and with 304 and no body to a
 * caller whose If-None-Match names it. Only the answer is spared: the request is authorized and audited as any other.
 */
export function answerUnchanged(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload) => {
    const { revalidates } = request.routeOptions.config;
    const polled = revalidates && reply.statusCode === 200 && typeof payload === 'string';
    return Promise.resolve(polled ? tagged(request, reply, payload) : payload);
  });
}

/** Tags the answer with its body; answers the body that is left to send, null where the caller has it already. */
function tagged(request: FastifyRequest, reply: FastifyReply, body: string): string | null {
  const tag = entityTag(body);
  // What one caller may read is not for a cache that others share.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
  if (!namesTag(request.headers['if-none-match'], tag)) return body;
  void reply.status(304).removeHeader('content-type');
  return null;
}

/** The weak entity tag of a body. */
export function entityTag(body: string): string {
  const digest = createHash('sha256').update(body).digest().subarray(0, TAG_BYTES);
  return `W/"${digest.toString('base64url')}"`;
}

/** Whether an If-None-Match names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  // Ours hold no comma, so a foreign tag that does cannot be mistaken for one.
  const named = ifNoneMatch.split(',').map(opaque);
  return ifNoneMatch.trim() === '*' || named.includes(opaque(tag));
}
