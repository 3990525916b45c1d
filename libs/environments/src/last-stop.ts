/** Annotations of an environment's Deployment that say when and why it last stopped itself. Rule H15. */
export const LAST_STOP = { at: 'plat.dev/last-stop-at', reason: 'plat.dev/last-stop-reason' } as const;

/** The last time that an environment stopped itself. */
export interface LastStop {
  /** RFC 3339 UTC. */
  at: string;
  /** A sentence. */
  reason: string;
}

/** The last stop that a Deployment's annotations hold; undefined if it never stopped itself. */
export function lastStop(annotations: Readonly<Record<string, string>> | undefined): LastStop | undefined {
  const { [LAST_STOP.at]: at, [LAST_STOP.reason]: reason } = annotations ?? {};
  return at === undefined || reason === undefined ? undefined : { at, reason };
}
