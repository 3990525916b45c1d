import { SealedLog } from '@plat/testing';
import { EMPTY_ROOT, leafHash, sha256 } from './hashes';
import { consistencyProof, inclusionProof } from './proof';
import { verifyConsistency, verifyInclusion } from './proof-check';

const log = new SealedLog();
log.addAudit(299);
const read = log.reader();
const head = (size: number) => ({ size, rootHash: log.root(size) });
const claim = (index: number, size: number) => ({
  index,
  leafHash: leafHash(log.entries[index]!.leaf),
  head: head(size),
});

describe('the check of a proof of inclusion', () => {
  it.each([-1, 300, 301, 1.5, NaN, Infinity])('refuses the index %p in a log of 300', async (index) => {
    const proof = await inclusionProof({ index: 0, size: 300 }, read);
    expect(verifyInclusion({ ...claim(0, 300), index }, proof)).toBe(false);
  });

  it.each([0, -1, 299, 301, 1.5, NaN, 2 ** 53])('refuses the size %p of a log of 300', async (size) => {
    const proof = await inclusionProof({ index: 299, size: 300 }, read);
    expect(verifyInclusion({ ...claim(299, 300), head: { ...head(300), size } }, proof)).toBe(false);
  });

  it('refuses hashes of another length, though they begin alike', async () => {
    const proof = await inclusionProof({ index: 4, size: 300 }, read);
    const longer = proof.with(0, Buffer.concat([proof[0]!, Buffer.alloc(1)]));
    expect(verifyInclusion(claim(4, 300), longer)).toBe(false);
    expect(verifyInclusion(claim(4, 300), proof.with(0, proof[0]!.subarray(0, 31)))).toBe(false);
    const longHead = { size: 1, rootHash: Buffer.concat([log.root(1), Buffer.alloc(1)]) };
    expect(verifyInclusion({ ...claim(0, 1), head: longHead }, [])).toBe(false);
  });

  it('refuses an inner node in the place of an entry', async () => {
    const [sibling, ...proof] = await inclusionProof({ index: 0, size: 256 }, read);
    const node = Buffer.concat([leafHash(log.entries[0]!.leaf), sibling!]);
    expect(verifyInclusion({ ...claim(0, 256), leafHash: leafHash(node) }, proof)).toBe(false);
  });
});

describe('the check of a proof of consistency', () => {
  it('needs one hash from a power of two to its double', async () => {
    const proof = await consistencyProof({ from: 4, to: 8 }, read);
    expect(proof).toHaveLength(1);
    expect(verifyConsistency({ from: head(4), to: head(8) }, proof)).toBe(true);
    expect(verifyConsistency({ from: head(4), to: head(8) }, [log.root(4), ...proof])).toBe(false);
  });

  it('demands equal roots and no hashes of equal sizes', () => {
    expect(verifyConsistency({ from: head(9), to: head(9) }, [])).toBe(true);
    expect(verifyConsistency({ from: head(9), to: head(9) }, [log.root(9)])).toBe(false);
    const other = { size: 9, rootHash: log.root(8) };
    expect(verifyConsistency({ from: head(9), to: other }, [])).toBe(false);
  });

  it('accepts each log after the empty one, whose root is known, without hashes', () => {
    const empty = { size: 0, rootHash: EMPTY_ROOT };
    expect(verifyConsistency({ from: empty, to: head(9) }, [])).toBe(true);
    expect(verifyConsistency({ from: empty, to: empty }, [])).toBe(true);
    expect(verifyConsistency({ from: empty, to: head(9) }, [log.root(9)])).toBe(false);
    expect(verifyConsistency({ from: { ...empty, rootHash: sha256('no log') }, to: head(9) }, [])).toBe(
      false,
    );
    const alsoEmpty = { size: 0, rootHash: sha256('no log') };
    expect(verifyConsistency({ from: alsoEmpty, to: alsoEmpty }, [])).toBe(false);
  });

  it('refuses a log that became smaller, and sizes that are none', async () => {
    const proof = await consistencyProof({ from: 8, to: 9 }, read);
    expect(verifyConsistency({ from: head(9), to: head(8) }, proof)).toBe(false);
    for (const size of [-1, 8.5, NaN]) {
      expect(verifyConsistency({ from: { ...head(8), size }, to: head(9) }, proof)).toBe(false);
      expect(verifyConsistency({ from: head(8), to: { ...head(9), size } }, proof)).toBe(false);
    }
  });

  it('refuses an older log of which one entry differs, though the newer one is sound', async () => {
    const other = new SealedLog();
    other.addAudit(99);
    const proof = await consistencyProof({ from: 100, to: 300 }, read);
    const from = { size: 100, rootHash: other.root() };
    expect(verifyConsistency({ from, to: head(300) }, proof)).toBe(false);
  });
});

describe('a proof that there cannot be', () => {
  it.each([
    [0, 0],
    [5, 5],
    [-1, 5],
    [0.5, 5],
    [0, 2 ** 53],
  ])('has no tiles: entry %d of %d', async (index, size) => {
    await expect(inclusionProof({ index, size }, read)).rejects.toThrow(RangeError);
  });

  it.each([
    [6, 5],
    [-1, 5],
    [0, NaN],
  ])('has no tiles: from %d to %d', async (from, to) => {
    await expect(consistencyProof({ from, to }, read)).rejects.toThrow(RangeError);
  });

  it('is not made from a tile with too few hashes', async () => {
    const short = async () => [Buffer.alloc(32)];
    await expect(inclusionProof({ index: 0, size: 3 }, short)).rejects.toThrow('too few hashes');
  });
});
