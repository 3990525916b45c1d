import { AsyncLocalStorage } from 'node:async_hooks';
import { maskTokens } from './mask-tokens';
import { printableLine } from './printable';

type Say = (line: string) => void;

/** By the work that is traced, since several commands may be at work in one process. */
const traces = new AsyncLocalStorage<Say>();

/** Runs work of which every `trace` is said. */
export function traced<T>(say: Say, work: () => Promise<T>): Promise<T> {
  return traces.run(say, work);
}

/** Says with `--debug` what is called and what comes back, on one line; tokens and passwords are masked. */
export function trace(...words: readonly string[]): void {
  const say = traces.getStore();
  if (say) say(`debug: ${printableLine(maskTokens(words.join(' ')))}`);
}

export function isTraced(): boolean {
  return traces.getStore() !== undefined;
}
