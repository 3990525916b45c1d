// A file of its own in each bundle; this module is evaluated, and so loads it, only if telemetry is on.
export { openTracer } from './opentelemetry-library.js';
