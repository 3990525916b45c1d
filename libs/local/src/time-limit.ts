/** Holds the sources of a signal for as long as the signal itself is held. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * A signal that is aborted with another one, and at the latest after a time. `AbortSignal.any` holds its sources weakly:
 * Node 20 collects an `AbortSignal.timeout` that nothing else holds, and the time never ends.
 */
export function withTimeLimit(signal: AbortSignal, milliseconds: number): AbortSignal {
  const both = [signal, AbortSignal.timeout(milliseconds)];
  const limited = AbortSignal.any(both);
  sources.set(limited, both);
  return limited;
}
