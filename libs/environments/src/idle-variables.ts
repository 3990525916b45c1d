import type { PodVariable } from './variable';
import { INT64, TIME_ZONE, TIMEOUT, WORKING_HOURS_TYPE } from './variable-type';

/** Spec: Client, Limits. */
export const IDLE_TIMEOUT_DEFAULT = '5m';
export const IDLE_TRAFFIC_BYTES_DEFAULT = 65_536;

/** When the environment stops by itself. Spec: Client, Variables set in a runtime pod; Rule H15. */
export const IDLE_VARIABLES = {
  PLAT_IDLE_TIMEOUT: {
    type: TIMEOUT,
    default: IDLE_TIMEOUT_DEFAULT,
    set: 'always',
    from: ['idle.timeout'],
    readBy: ['plat idle watch'],
    purpose: 'How long idle until the environment stops',
    value: ({ config }) => config.idle?.timeout ?? IDLE_TIMEOUT_DEFAULT,
  },
  PLAT_IDLE_WORKING_HOURS: {
    type: WORKING_HOURS_TYPE,
    default: 'unset',
    set: 'if it is configured',
    from: ['idle.workingHours'],
    readBy: ['plat idle watch'],
    purpose: 'When idle-stop may fire; 22:00-06:00 goes over midnight',
    value: ({ config }) => config.idle?.workingHours,
  },
  PLAT_IDLE_TIMEZONE: {
    type: TIME_ZONE,
    default: 'that of the host',
    set: 'always: the zone of the machine that deploys if none is configured',
    from: ['idle.timezone'],
    readBy: ['plat idle watch'],
    purpose: 'Zone of the working hours',
    value: ({ config, hostTimeZone }) => config.idle?.timezone ?? hostTimeZone,
  },
  PLAT_IDLE_TRAFFIC_BYTES: {
    type: INT64,
    default: String(IDLE_TRAFFIC_BYTES_DEFAULT),
    set: 'always',
    from: ['idle.trafficBytes'],
    readBy: ['plat idle watch'],
    purpose: 'Fewer bytes than this in a minute count as quiet',
    value: ({ config }) => String(config.idle?.trafficBytes ?? IDLE_TRAFFIC_BYTES_DEFAULT),
  },
} as const satisfies Record<string, PodVariable>;
