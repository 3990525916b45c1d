export { startTelemetry, type TelemetryStart } from './start';
export { isTelemetryOn, parseTraceparent } from './telemetry-config';
export {
  closeTracing,
  type FinishedSpan,
  inheritContext,
  isTracing,
  spanReporter,
  type SpanShape,
  traced,
  traceHeaders,
  type TraceIds,
  traceIds,
  type Tracer,
  useTracer,
} from './tracing';
