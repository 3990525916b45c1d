import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { exportProtocol, givenServiceName } from './telemetry-config';
import type { FinishedSpan, SpanShape, Tracer } from './tracing';

/** Longest time in milliseconds that a program waits for its last spans to be sent. */
const LAST_SPANS_MS = 3_000;
const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

export interface TracerOptions {
  service: string;
  version?: string;
  /** The headers of the span under which the program's own spans are. */
  parent: Record<string, string>;
}

/**
 * Records spans and sends them in batches by OTLP over HTTP. The sampler, limits and headers are those of OTEL_*.
 *
 * @throws Error for a protocol that is not supported
 */
export function openTracer({ service, version, parent }: TracerOptions): Tracer {
  const exporter = exportProtocol() === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const own = resourceFromAttributes({ 'service.version': version });
  const named = resourceFromAttributes({ 'service.name': givenServiceName() ?? service });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(named),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  const tracer = provider.getTracer('plat', version);
  const started = propagation.extract(ROOT_CONTEXT, parent);
  const current = (): Context => (trace.getSpan(context.active()) ? context.active() : started);
  return {
    span: (shape, work) => {
      if (isLeftOut(trace.getSpan(context.active()))) return work();
      const span = tracer.startSpan(shape.name, optionsOf(shape), current());
      return context.with(trace.setSpan(current(), span), () => endAfter(span, work));
    },
    reporter: () => {
      const above = current();
      if (isLeftOut(trace.getSpan(above))) return () => undefined;
      return (finished) => report(finished, (options) => tracer.startSpan(finished.name, options, above));
    },
    headers: () => {
      const headers: Record<string, string> = {};
      propagation.inject(current(), headers);
      return headers;
    },
    ids: () => {
      const span = trace.getSpan(context.active())?.spanContext();
      return span && { trace_id: span.traceId, span_id: span.spanId };
    },
    close: () => closeProvider(provider),
  };
}

/** Whether a span of this program was not sampled, so that what is below it is not recorded either, and costs nothing. */
const isLeftOut = (span: Span | undefined): boolean =>
  span !== undefined && !span.isRecording() && !span.spanContext().isRemote;

const optionsOf = ({ kind, attributes }: SpanShape) => ({ kind: KINDS[kind], attributes });

async function endAfter<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The message may quote what a person wrote; its class and code do not.
    const { code, name } = error as { code?: unknown; name?: string };
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'Error'));
    throw error;
  } finally {
    span.end();
  }
}

function report(
  { startMs, endMs, failed, ...shape }: FinishedSpan,
  start: (options: ReturnType<typeof optionsOf> & { startTime: number }) => Span,
): void {
  const span = start({ ...optionsOf(shape), startTime: startMs });
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endMs);
}

async function closeProvider(provider: NodeTracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_SPANS_MS)));
  await Promise.race([provider.shutdown().catch(() => undefined), late]);
  clearTimeout(timer);
}
