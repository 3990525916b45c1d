/** The service's log, as a Nest provider. */
export const LOG = Symbol('log');
