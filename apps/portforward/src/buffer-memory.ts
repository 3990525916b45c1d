import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECT_BYTES = 4 * 1024 * 1024;

/**
 * Keeps the memory of data that has passed small. V8 collects after a megabyte of objects, and does not count that each
 * of them holds 16 KiB outside of its heap: without help 60 MiB of data wait to be freed.
 */
export class BufferMemory {
  private passed = 0;
  private collect: ((options: { type: 'minor' }) => void) | undefined;

  passing(bytes: number): void {
    this.passed += bytes;
    if (this.passed < COLLECT_BYTES) return;
    this.passed = 0;
    this.collect ??= exposed();
    this.collect({ type: 'minor' });
  }
}

function exposed(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
