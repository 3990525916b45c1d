import type { FastifyInstance } from 'fastify';
import { isTracing } from '@plat/telemetry';
import type { Log } from '../log/log';
import type { PlatRequest } from './request';

/**
 * Records a span for each request, under the span of the caller's `traceparent`. Called before other hooks are added, so
 * that they run in it. Without telemetry it does nothing and loads nothing.
 */
export async function traceRequests(fastify: FastifyInstance, log: Log): Promise<void> {
  if (!isTracing()) return;
  const loaded = await import('@fastify/otel').catch((err: unknown) => {
    log.warn({ err, node: process.version }, 'requests have no spans: @fastify/otel cannot be used');
  });
  if (!loaded) return;
  const instrumentation = new loaded.FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    requestHook: (span, request) => {
      const route = request.routeOptions.url?.replace(/:([a-z_]+)/g, '{$1}') ?? 'none';
      span.updateName(`${request.method} ${route}`);
      // The library's own value has the ids and the query.
      span.setAttributes({ 'url.path': route, 'plat.request_id': request.id });
      const { traceId, spanId } = span.spanContext();
      (request as PlatRequest).trace = { trace_id: traceId, span_id: spanId };
    },
  });
  // Directly, since a registered plugin would begin only after the routes.
  instrumentation.plugin()(fastify, {}, () => undefined);
}
