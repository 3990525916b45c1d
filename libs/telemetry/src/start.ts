import { environmentContext, isTelemetryOn } from './telemetry-config';
import { inheritContext, useTracer } from './tracing';

export interface TelemetryStart {
  /** Such as plat-reviews; OTEL_SERVICE_NAME comes first. */
  service: string;
  version?: string;
  /** Called if telemetry is asked for and cannot be used; the program then goes on without it. */
  warn(problem: string, cause: unknown): void;
}

/**
 * Starts telemetry if OTEL_* asks for it. Nothing of OpenTelemetry is loaded otherwise.
 *
 * @returns whether spans are recorded
 */
export async function startTelemetry({ service, version, warn }: TelemetryStart): Promise<boolean> {
  inheritContext(environmentContext());
  if (!isTelemetryOn()) return false;
  try {
    const { openTracer } = await import('./open-tracer.js');
    useTracer(openTracer({ service, version, parent: environmentContext() }));
    return true;
  } catch (error) {
    warn(`telemetry cannot be used on Node ${process.version}, and the program goes on without it`, error);
    return false;
  }
}
