import { Random } from '@plat/testing';
import { CompactRange } from './compact-range';
import { leafHash, nodeHash, sha256 } from './hashes';
import {
  consistencyProof,
  inclusionProof,
  readRange,
  type TileReader,
  tilesOfConsistency,
  tilesOfInclusion,
  tilesOfRange,
} from './proof';
import { verifyConsistency, verifyInclusion } from './proof-check';
import { TILE_WIDTH, tilesOf } from './tile';
import { TileBuilder } from './tile-builder';

/** The definitions of RFC 6962, section 2.1, word for word: D[start:end] is a part of one list of entries. */
class Model {
  private readonly known = new Map<number, Buffer>();

  constructor(private readonly entries: readonly Buffer[]) {}

  /** MTH(D[start:end]). */
  hash(start: number, end: number): Buffer {
    if (end === start) return sha256('');
    const key = start * 100_000 + end;
    const known = this.known.get(key);
    if (known) return known;
    const hash =
      end - start === 1
        ? leafHash(this.entries[start]!)
        : nodeHash(this.hash(start, this.split(start, end)), this.hash(this.split(start, end), end));
    this.known.set(key, hash);
    return hash;
  }

  /** PATH(m, D[start:end]). */
  path(m: number, start: number, end: number): Buffer[] {
    if (end - start === 1) return [];
    const k = this.split(start, end);
    return start + m < k
      ? [...this.path(m, start, k), this.hash(k, end)]
      : [...this.path(start + m - k, k, end), this.hash(start, k)];
  }

  /** PROOF(m, D[0:n]). */
  proof(m: number, n: number): Buffer[] {
    return this.subproof(m, 0, n, true);
  }

  /** SUBPROOF(m, D[start:end], b); m counts from `start`. */
  private subproof(m: number, start: number, end: number, b: boolean): Buffer[] {
    if (m === end - start) return b ? [] : [this.hash(start, end)];
    const k = this.split(start, end);
    return m <= k - start
      ? [...this.subproof(m, start, k, b), this.hash(k, end)]
      : [...this.subproof(m - (k - start), k, end, false), this.hash(start, k)];
  }

  /** Reads tiles by their definition: each hash is that of 256^level entries. */
  reader(size: number): TileReader {
    return (tiles) =>
      Promise.resolve(
        tiles.map(({ level, index, width }) => {
          const covered = TILE_WIDTH ** level;
          const hashes = Array.from({ length: width }, (_, at) => {
            const start = (index * TILE_WIDTH + at) * covered;
            if (start + covered > size) throw new Error(`No log of ${size} entries has that tile.`);
            return this.hash(start, start + covered);
          });
          return Buffer.concat(hashes);
        }),
      );
  }

  /** Behind the largest power of two that is smaller than the number of entries. */
  private split(start: number, end: number): number {
    let k = 1;
    while (k * 2 < end - start) k *= 2;
    return start + k;
  }
}

const LISTS = 100;
const TREES_EACH = 100;

/** Lists of entries, most of up to 300, each tenth of up to 3,000. */
const lists = Array.from({ length: LISTS }, (_, seed) => {
  const random = new Random(seed);
  const longest = seed % 10 === 9 ? 3000 : 300;
  const length = 1 + Math.floor(random.next() * longest);
  return { seed, entries: Array.from({ length }, (__, at) => Buffer.from(`${seed}/${at}/${random.next()}`)) };
});

const below = (random: Random, limit: number) => Math.floor(random.next() * limit);

/** A proof that differs from another one in one place. */
function altered(proof: readonly Buffer[], random: Random): Buffer[] {
  const at = below(random, proof.length + 1);
  const hash = Buffer.from(proof[at] ?? sha256('another'));
  hash[below(random, 32)]! ^= 1 + below(random, 255);
  const more = [...proof.slice(0, at), hash, ...proof.slice(at)];
  if (at === proof.length) return more;
  return random.pick([more, more.toSpliced(at + 1, 1), proof.toSpliced(at, 1)]);
}

/** Same hashes in the same order. Jest's own comparison takes a hundred times as long. */
const same = (some: readonly Buffer[], others: readonly Buffer[]) =>
  Buffer.concat(some).equals(Buffer.concat(others));

/** The rules that a tree of `size` entries breaks, by the index and the older size that `random` picks. */
async function brokenRules(list: { model: Model; entries: readonly Buffer[] }, size: number, random: Random) {
  const { model, entries } = list;
  const [index, from] = [below(random, size), below(random, size + 1)];
  const read = model.reader(size);
  const head = { size, rootHash: model.hash(0, size) };
  const claim = { index, leafHash: leafHash(entries[index]!), head };
  const another = { ...claim, index: (index + 1 + below(random, size)) % (size + 1) };
  const growth = { from: { size: from, rootHash: model.hash(0, from) }, to: head };
  const inclusion = await inclusionProof({ index, size }, read);
  const consistency = await consistencyProof({ from, to: size }, read);
  const rules = {
    root: same([(await readRange(size, read)).root()], [head.rootHash]),
    inclusion: same(inclusion, model.path(index, 0, size)),
    included: verifyInclusion(claim, inclusion),
    'altered inclusion': !verifyInclusion(claim, altered(inclusion, random)),
    'another index': !verifyInclusion(another, inclusion),
    consistency: same(consistency, from === 0 ? [] : model.proof(from, size)),
    consistent: verifyConsistency(growth, consistency),
    'altered consistency': !verifyConsistency(growth, altered(consistency, random)),
  };
  return Object.entries(rules).flatMap(([rule, holds]) =>
    holds ? [] : [`${rule}: size ${size}, index ${index}, from ${from}`],
  );
}

describe(`${LISTS * TREES_EACH} generated trees`, () => {
  it('have the roots, tiles and proofs of RFC 6962’s definitions, and no altered proof is accepted', async () => {
    const broken = [];
    for (const { seed, entries } of lists) {
      const list = { model: new Model(entries), entries };
      const random = new Random(~seed);
      for (let tree = 0; tree < TREES_EACH; tree += 1) {
        // Small sizes more often than large ones: what differs is the shape at the right edge, and each hash costs time.
        broken.push(...(await brokenRules(list, 1 + below(random, below(random, entries.length)), random)));
      }
    }
    expect(broken).toEqual([]);
  });

  it('have one and the same root by appending, whether range or tiles', () => {
    for (const { seed, entries } of lists) {
      const model = new Model(entries);
      const range = CompactRange.empty();
      const builder = new TileBuilder();
      for (const entry of entries) {
        range.append(leafHash(entry));
        builder.append(leafHash(entry));
        // The root over tiles costs hundreds of hashes, so not each is computed.
        if (range.size % 41 !== 0 && range.size !== entries.length) continue;
        const root = model.hash(0, range.size);
        expect([seed, range.size, range.root()]).toEqual([seed, builder.size, root]);
        expect([seed, range.size, builder.root()]).toEqual([seed, builder.size, root]);
      }
    }
  });

  it('have the tiles that are known beforehand, which are read at once', async () => {
    const random = new Random(1);
    for (const { entries } of lists) {
      const model = new Model(entries);
      const size = entries.length;
      const [index, from] = [below(random, size), below(random, size + 1)];
      const asked: unknown[] = [];
      const read: TileReader = (tiles) => {
        asked.push(tiles);
        return model.reader(size)(tiles);
      };
      await inclusionProof({ index, size }, read);
      await consistencyProof({ from, to: size }, read);
      await readRange(size, read);
      const beforehand = [tilesOfInclusion(index, size), tilesOfConsistency(from, size), tilesOfRange(size)];
      expect(asked).toEqual(beforehand.filter(({ length }) => length > 0));
      const all = [...tilesOf(size)];
      for (const tile of beforehand.flat()) expect(all).toContainEqual(tile);
    }
  });
});

describe('a log whose size passes 32 bits', () => {
  /** All its entries are alike, so each of its subtrees has the hash of every other one of that size. */
  const subtrees = [leafHash(Buffer.from('alike'))];
  while (subtrees.length <= 53) subtrees.push(nodeHash(subtrees.at(-1)!, subtrees.at(-1)!));
  const read: TileReader = (tiles) =>
    Promise.resolve(
      tiles.map(({ level, width }) => Buffer.concat(Array<Buffer>(width).fill(subtrees[8 * level]!))),
    );
  const headOf = async (size: number) => ({ size, rootHash: (await readRange(size, read)).root() });

  it.each([2 ** 32, 2 ** 33 + 5, 2 ** 45 - 1, Number.MAX_SAFE_INTEGER])('of %d entries', async (size) => {
    const head = await headOf(size);
    for (const index of [0, 2 ** 31, 2 ** 32 - 1, size - 2, size - 1]) {
      const proof = await inclusionProof({ index, size }, read);
      expect(verifyInclusion({ index, leafHash: subtrees[0]!, head }, proof)).toBe(true);
      expect(verifyInclusion({ index, leafHash: subtrees[1]!, head }, proof)).toBe(false);
    }
    for (const from of [1, 2 ** 31 + 1, 2 ** 32, size - 1, size]) {
      const proof = await consistencyProof({ from, to: size }, read);
      expect(verifyConsistency({ from: await headOf(from), to: head }, proof)).toBe(true);
    }
  });
});
