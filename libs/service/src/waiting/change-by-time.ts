/** Milliseconds until each such answer changes, keyed by the answer. An entry ends with its answer. */
const changes = new WeakMap<object, number>();

/**
 * Marks a handler's answer as one that changes with time alone, so that a request that waits for a change reads it again.
 *
 * @param milliseconds until it changes; Infinity if that is not known: it is then read again at the end of the wait
 */
export function changesByTime<Answer extends object>(answer: Answer, milliseconds: number): Answer {
  changes.set(answer, milliseconds);
  return answer;
}

/** Milliseconds until an answer changes with time alone. Undefined if it does not. */
export function timeToChange(answer: unknown): number | undefined {
  return typeof answer === 'object' && answer !== null ? changes.get(answer) : undefined;
}
