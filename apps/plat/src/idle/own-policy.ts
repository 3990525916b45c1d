import { IDLE_TIMEOUT_DEFAULT, type IdlePolicy, idlePolicy } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import type { Environment } from '../environment';

const NAMES = [
  'PLAT_IDLE_TIMEOUT',
  'PLAT_IDLE_WORKING_HOURS',
  'PLAT_IDLE_TIMEZONE',
  'PLAT_IDLE_TRAFFIC_BYTES',
  'PLAT_CLOUD_ENVIRONMENT',
] as const;

/** The policy as a person reads it, in the words of the configuration. */
export interface ShownPolicy {
  timeout: string;
  workingHours?: string | undefined;
  timezone: string;
  trafficBytes: number;
  /** Alias of the managed cloud; absent if the environment never stops itself. */
  cloudEnvironment?: string | undefined;
}

/** The idle policy that the variables of this pod set. @throws Failure INVALID_VARIABLES */
export function ownPolicy(environment: Environment): { policy: IdlePolicy; shown: ShownPolicy } {
  const { PLAT_IDLE_TRAFFIC_BYTES: trafficBytes } = contractVariables(environment, NAMES);
  // Checked above, so the texts can be read again.
  const text = (name: (typeof NAMES)[number]) => environment.variables[name] || undefined;
  const timeout = text('PLAT_IDLE_TIMEOUT') ?? IDLE_TIMEOUT_DEFAULT;
  const workingHours = text('PLAT_IDLE_WORKING_HOURS');
  const cloudEnvironment = text('PLAT_CLOUD_ENVIRONMENT');
  const hostTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const idle = { timeout, workingHours, timezone: text('PLAT_IDLE_TIMEZONE'), trafficBytes };
  const policy = idlePolicy({ idle, cloud: { alias: cloudEnvironment } }, hostTimeZone);
  const { timezone, trafficBytes: threshold } = policy;
  return { policy, shown: { timeout, workingHours, timezone, trafficBytes: threshold, cloudEnvironment } };
}
