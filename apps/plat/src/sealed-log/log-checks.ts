import {
  type BuiltTile,
  type Disclosure,
  isCommitted,
  type Leaf,
  leafHash,
  parseLeaf,
  TileBuilder,
  type VerifierKey,
} from '@plat/ledger';
import { Altered } from './altered';
import { demandFieldsOf, erasedRanges, readFields, recordedKey } from './disclosed-fields';
import { EntryIds } from './entry-ids';
import { ErasedEntries } from './erased-entries';

/** An entry as it is read. */
export interface ReadEntry {
  bytes: Buffer;
  /** Its hash, if the reader has computed it. */
  hash?: Buffer;
  /** Undefined if its fields are withheld. */
  shown: Disclosure['shown'];
}

/**
 * The rules of a tenant's log, over its entries in their order. It keeps of each entry its id and two bits, so that a log
 * of millions can be checked in a stream.
 */
export class LogChecks {
  private readonly builder = new TileBuilder();
  private readonly ids = new EntryIds();
  private readonly keys = new Set<string>();
  private readonly erased = new ErasedEntries();
  private readonly watched: ReadonlySet<number>;
  private readonly roots = new Map<number, Buffer>();

  /** @param watched sizes of which the root is kept */
  constructor(
    private readonly tenantId: string,
    watched: Iterable<number> = [],
  ) {
    this.watched = new Set(watched);
  }

  /** The number of entries so far. */
  get size(): number {
    return this.builder.size;
  }

  /** The public keys that entries so far record, base64. */
  get recordedKeys(): ReadonlySet<string> {
    return this.keys;
  }

  /**
   * Checks the next entry, and appends it.
   *
   * @returns the tiles that it completes
   * @throws Altered
   */
  add(entry: ReadEntry): readonly BuiltTile[] {
    this.check(entry);
    return this.append(entry);
  }

  /** Checks the entry that is to be appended next. @throws Altered */
  check({ bytes, shown }: ReadEntry): void {
    const index = this.size;
    const leaf = readLeaf(bytes, index);
    if (index === 0 && leaf.kind !== 'key') throw new Altered('The first entry of the log is not a key.', 0);
    if (!this.ids.add(leaf.kind, leaf.id)) {
      throw new Altered(
        `Entry ${index} is of the ${leaf.kind} ${leaf.id}, which an earlier entry is of.`,
        index,
      );
    }
    if (shown) this.checkShown(leaf, shown);
    else this.checkWithheld(leaf);
  }

  /** Appends an entry to the tree, whatever it says. @returns the tiles that it completes */
  append({ bytes, hash = leafHash(bytes) }: ReadEntry): readonly BuiltTile[] {
    const tiles = this.builder.append(hash);
    if (this.watched.has(this.size)) this.roots.set(this.size, this.builder.root());
    return tiles;
  }

  /** The tiles with fewer than 256 hashes. */
  partialTiles(): BuiltTile[] {
    return this.builder.partialTiles();
  }

  /** The root of the entries so far, or of the first `size` if that size is watched and was reached. */
  root(size = this.size): Buffer | undefined {
    return size === this.size ? this.builder.root() : this.roots.get(size);
  }

  /** The first entry whose fields are withheld although no later entry says that they were erased. */
  firstUnexplained(): number | undefined {
    return this.erased.firstUnexplained();
  }

  /** @throws Altered if the log does not record a key that has signed it */
  demandKeys(signedBy: readonly VerifierKey[]): void {
    const missing = signedBy.find(({ publicKey }) => !this.keys.has(publicKey.toString('base64')));
    if (missing) {
      throw new Altered(`The key ${missing.keyId} signs the checkpoint, and no entry of the log records it.`);
    }
  }

  private checkShown(leaf: Leaf, shown: NonNullable<Disclosure['shown']>): void {
    const index = this.size;
    if (!isCommitted(leaf.open, shown)) {
      throw new Altered(`The fields of entry ${index} are not those that the entry commits to.`, index);
    }
    const fields = readFields(shown.fields, index);
    demandFieldsOf({ leaf, index, tenantId: this.tenantId }, fields);
    if (leaf.kind === 'key') this.keys.add(recordedKey(fields, index));
    if (leaf.kind === 'erasure') this.erased.erase(erasedRanges(fields, index), index);
    if (isLasting(leaf)) this.erased.keep(index);
  }

  private checkWithheld(leaf: Leaf): void {
    if (isLasting(leaf)) {
      throw new Altered(`Entry ${this.size} is of a ${leaf.kind}, and its fields are withheld.`, this.size);
    }
    this.erased.withhold(this.size);
  }
}

const isLasting = ({ kind }: Leaf): boolean => kind === 'key' || kind === 'erasure';

function readLeaf(bytes: Buffer, index: number): Leaf {
  try {
    return parseLeaf(bytes);
  } catch {
    throw new Altered(`Entry ${index} is not an entry of version 1.`, index);
  }
}
