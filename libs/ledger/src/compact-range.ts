import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hashes';
import { isSize } from './tree-size';

/**
 * The part of a log that is needed to append to it and to compute its root: the roots of the largest complete subtrees
 * into which it divides from the left, one for each bit of its size.
 */
export class CompactRange {
  private constructor(
    private entries: number,
    private readonly roots: Buffer[],
  ) {}

  static empty(): CompactRange {
    return new CompactRange(0, []);
  }

  /**
   * The range of a log of `size` entries, by what `hashes` gave for it.
   *
   * @throws RangeError if these are not as many hashes of 32 bytes as the size demands
   */
  static restore(size: number, hashes: readonly Uint8Array[]): CompactRange {
    const isRange = isSize(size) && hashes.length === bitsOf(size);
    if (!isRange || hashes.some(({ length }) => length !== HASH_BYTES)) {
      throw new RangeError(`These are not the hashes of a log of ${size} entries.`);
    }
    return new CompactRange(
      size,
      hashes.map((hash) => Buffer.from(hash)),
    );
  }

  /** The number of entries. */
  get size(): number {
    return this.entries;
  }

  /** The roots of the complete subtrees, the largest first. */
  get hashes(): readonly Buffer[] {
    return [...this.roots];
  }

  /** @param leafHash of the entry whose index is `size` */
  append(leafHash: Uint8Array): void {
    let right: Buffer = Buffer.from(leafHash);
    for (let rest = this.entries; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      right = nodeHash(this.roots.pop()!, right);
    }
    this.roots.push(right);
    this.entries += 1;
  }

  /** The root of the log. */
  root(): Buffer {
    return this.roots.length === 0 ? EMPTY_ROOT : foldRight(this.roots);
  }
}

/** The root of neighbouring subtrees, each of which is larger than the one to its right; at least one. */
export function foldRight(roots: readonly Buffer[]): Buffer {
  return roots.reduceRight((right, left) => nodeHash(left, right));
}

function bitsOf(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
