import { AsyncLocalStorage } from 'node:async_hooks';
import { maskTokens } from './mask-tokens';
import { printableLine } from './printable';

type Say = (line: string) => void;

/** Separate for each traced work, because several commands may run in one process. */
const traces = new AsyncLocalStorage<Say>();

/** Runs work with its traces passed to `say`. */
export function traced<T>(say: Say, work: () => Promise<T>): Promise<T> {
  return traces.run(say, work);
}

/** With `--debug`, prints a call or an answer on one line, with tokens and passwords masked. */
export function trace(...words: readonly string[]): void {
  const say = traces.getStore();
  if (say) say(`debug: ${printableLine(maskTokens(words.join(' ')))}`);
}

export function isTraced(): boolean {
  return traces.getStore() !== undefined;
}
