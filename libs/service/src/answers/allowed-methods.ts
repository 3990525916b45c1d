import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@plat/contracts/core';

interface Registered {
  methods: readonly string[];
  path: RegExp;
}

/** Answers a known path with an unknown method by 405, with the path's methods in Allow. */
export function answerMissingMethods(fastify: FastifyInstance): void {
  const registered: Registered[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    registered.push({ methods: [method].flat(), path: patternOf(url) });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    done(request.is404 ? missingMethod(registered, request, reply) : undefined);
  });
}

function missingMethod(
  registered: readonly Registered[],
  request: FastifyRequest,
  reply: FastifyReply,
): ApiError | undefined {
  const [path = ''] = request.url.split('?', 1);
  const found = registered.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
  if (found.length === 0) return undefined;
  void reply.header('allow', [...new Set(found)].sort().join(', '));
  return new ApiError('METHOD_NOT_ALLOWED');
}

/** The pattern of a router's path, in which `:name` is a parameter. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}$`);
