import { CompactRange } from './compact-range';
import { leafHash, nodeHash } from './hashes';
import { consistencyProof, inclusionProof, type TileReader } from './proof';
import { verifyConsistency, verifyInclusion } from './proof-check';

const hex = (text: string) => Buffer.from(text, 'hex');

/** The entries with which implementations of RFC 6962 have been tested since the first one, Certificate Transparency's. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(hex);

/** Keyed by size. */
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const INCLUSION: [index: number, size: number, proof: string[]][] = [
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    1,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

const CONSISTENCY: [from: number, to: number, proof: string[]][] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

/** All entries lie in one tile, which has their hashes. */
const read: TileReader = (tiles) => Promise.resolve(tiles.map(() => Buffer.concat(ENTRIES.map(leafHash))));

const hexOf = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));
const head = (size: number) => ({ size, rootHash: hex(ROOTS[size]!) });

describe('the vectors of Certificate Transparency', () => {
  it.each(ROOTS.map((root, size) => ({ size, root })))('the root of $size entries', ({ size, root }) => {
    const range = CompactRange.empty();
    ENTRIES.slice(0, size).forEach((entry) => range.append(leafHash(entry)));
    expect(range.root().toString('hex')).toBe(root);
  });

  it.each(INCLUSION)('the inclusion of entry %i among %i', async (index, size, proof) => {
    expect(hexOf(await inclusionProof({ index, size }, read))).toEqual(proof);
    const claim = { index, leafHash: leafHash(ENTRIES[index]!), head: head(size) };
    expect(verifyInclusion(claim, proof.map(hex))).toBe(true);
  });

  it.each(CONSISTENCY)('the consistency of %i with %i entries', async (from, to, proof) => {
    expect(hexOf(await consistencyProof({ from, to }, read))).toEqual(proof);
    expect(verifyConsistency({ from: head(from), to: head(to) }, proof.map(hex))).toBe(true);
  });
});

describe('the example of RFC 6962, section 2.1.3: a tree of seven entries', () => {
  const [a, b, c, d, e, f, j] = ENTRIES.map(leafHash) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const [g, h, i] = [nodeHash(a, b), nodeHash(c, d), nodeHash(e, f)];
  const [k, l] = [nodeHash(g, h), nodeHash(i, j)];

  it.each([
    [0, [b, h, l]],
    [3, [c, g, l]],
    [4, [f, j, k]],
    [6, [i, k]],
  ])('the path of entry %i', async (index, path) => {
    expect(await inclusionProof({ index, size: 7 }, read)).toEqual(path);
  });

  it.each([
    [3, [c, d, g, l]],
    [4, [l]],
    [6, [i, j, k]],
  ])('the consistency of %i entries with seven', async (from, proof) => {
    expect(await consistencyProof({ from, to: 7 }, read)).toEqual(proof);
  });
});
