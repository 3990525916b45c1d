/** The subject of a span. Names and attributes never have a parameter, a token or an id of a path. */
export interface SpanShape {
  name: string;
  kind: 'client' | 'internal';
  attributes?: Record<string, string | number>;
}

/** A span of work that another process has done. Times are milliseconds since 1970. */
export interface FinishedSpan extends SpanShape {
  startMs: number;
  endMs: number;
  failed: boolean;
}

/** The ids of a trace and of a span in it, as the log shows them. */
export interface TraceIds {
  trace_id: string;
  span_id: string;
}

/** The recorder of spans. Its implementation is loaded only if telemetry is on. */
export interface Tracer {
  span<T>(shape: SpanShape, work: () => Promise<T>): Promise<T>;
  /** @returns a function that records spans under the span that is current now */
  reporter(): (span: FinishedSpan) => void;
  /** The current span as headers of W3C Trace Context. */
  headers(): Record<string, string>;
  ids(): TraceIds | undefined;
  /** Sends what is left. Never rejects. */
  close(): Promise<void>;
}

let tracer: Tracer | undefined;
/** The context that the process was started with and passes on while it records nothing itself. */
let inherited: Record<string, string> = {};

export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

export function inheritContext(headers: Record<string, string>): void {
  inherited = headers;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Runs work in a span of its own; without telemetry it only runs it. */
export function traced<T>(shape: SpanShape, work: () => Promise<T>): Promise<T> {
  return tracer ? tracer.span(shape, work) : work();
}

/** Records spans of other processes under the current one; undefined without telemetry. */
export const spanReporter = (): ((span: FinishedSpan) => void) | undefined => tracer?.reporter();

/** The headers of a request to a service of plat. They are sent to no other server. */
export const traceHeaders = (): Record<string, string> => tracer?.headers() ?? inherited;

export const traceIds = (): TraceIds | undefined => tracer?.ids();

/** Sends the spans that are left, and records none from then on. */
export async function closeTracing(): Promise<void> {
  const closing = tracer;
  tracer = undefined;
  await closing?.close();
}
