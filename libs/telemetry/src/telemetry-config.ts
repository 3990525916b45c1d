type Variables = Record<string, string | undefined>;

/** OpenTelemetry's own variables switch telemetry on: it is off unless an endpoint for traces is given. */
export function isTelemetryOn(variables: Variables = process.env): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = variables;
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || variables.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/** How spans are sent; http/protobuf if nothing is said. @throws Error for one that is not supported */
export function exportProtocol(variables: Variables = process.env): 'http/protobuf' | 'http/json' {
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL, OTEL_EXPORTER_OTLP_PROTOCOL } = variables;
  const protocol = OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol;
  throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}; use http/protobuf or http/json`);
}

/** The name under which spans are sent, if the environment gives one. */
export const givenServiceName = (variables: Variables = process.env): string | undefined =>
  variables.OTEL_SERVICE_NAME || undefined;

/** The context in TRACEPARENT and TRACESTATE, by which a caller passes its trace to a program that it starts. */
export function environmentContext(variables: Variables = process.env): Record<string, string> {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = variables;
  if (traceparent === undefined || parseTraceparent(traceparent) === undefined) return {};
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The ids of a traceparent; undefined for one that is invalid. */
export function parseTraceparent(text: string): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(text) ?? [];
  const isValid = (id: string | undefined): id is string => id !== undefined && !/^0+$/.test(id);
  return isValid(traceId) && isValid(spanId) ? { traceId, spanId } : undefined;
}
