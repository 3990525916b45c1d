import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route table's `revalidates`. */
    revalidates?: true;
  }
}

/** Bytes of the digest in a tag, so many that two bodies never share one. */
const TAG_BYTES = 16;

/**
 * Adds an entity tag to the answers of routes that clients poll, and answers 304 without a body if the caller's
 * If-None-Match names the tag. Such a request is authorized and audited like any other.
 */
export function answerUnchanged(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload) => {
    const { revalidates } = request.routeOptions.config;
    const polled = revalidates && reply.statusCode === 200;
    return Promise.resolve(polled ? tagged(request, reply, payload) : payload);
  });
}

/**
 * Sets the entity tag of a text. A listing that is sent while it is read has one already, or none.
 *
 * @returns the body to send; null if the caller has it already
 */
function tagged(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const tag = typeof body === 'string' ? entityTag(body) : reply.getHeader('etag');
  if (typeof tag !== 'string') return body;
  // A shared cache must not keep what one caller may read.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
  if (!namesTag(request.headers['if-none-match'], tag)) return body;
  if (body instanceof Readable) body.destroy();
  void reply.status(304).removeHeader('content-type');
  // fastify measures the body of an answer to HEAD, and takes no null for one.
  return request.method === 'HEAD' ? Readable.from([]) : null;
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
  // The service's tags hold no comma, so splitting a foreign tag at its comma never yields one of them.
  const named = ifNoneMatch.split(',').map(opaque);
  return ifNoneMatch.trim() === '*' || named.includes(opaque(tag));
}
