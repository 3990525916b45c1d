/**
 * @peers ledger
 * @paths libs/ledger libs/testing/src/ledger libs/contracts/core/src/ids.ts libs/contracts/core/src/instant.ts
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ForeignJudgement,
  judgeFolder,
  type LogFiles,
  peer,
  Random,
  runJudge,
  SealedLog,
  writeLogFiles,
} from '@plat/testing';
import { formatCheckpoint } from './checkpoint';
import { decodeEntries, encodeEntries } from './entry-bundle';
import { leafHash } from './hashes';
import { signNote } from './note';
import { consistencyProof, inclusionProof } from './proof';
import { verifyConsistency, verifyInclusion } from './proof-check';

/** The larger logs have a hundred files and more, which two programs read. */
jest.setTimeout(120_000);

const SOUND: ForeignJudgement = { go: 'sound', tessera: 'sound' };

async function judge(files: LogFiles, keys: readonly string[]): Promise<ForeignJudgement> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-judged-'));
  try {
    await writeLogFiles(join(folder, 'log'), files);
    await writeFile(join(folder, 'key'), keys[0]!);
    return await judgeFolder(folder, keys);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A log with every kind of leaf and erased fields, of at least 12 entries. */
function variedLog(size: number): SealedLog {
  const log = new SealedLog();
  log.addAudit(4);
  const reviewId = '0190bbbb-0000-7000-8000-000000000001';
  log.addLanding({ reviewId, contentVerdict: 'UNKNOWN' });
  log.addLanding({ reviewId });
  log.addKey();
  log.erase([1, 3, 4]);
  log.addAudit(size - log.size - 1);
  log.erase([9, 10], 'retention');
  return log;
}

describe('a log that was not altered', () => {
  it.each([0, 1, 2])('of %d entries is sound', async (size) => {
    const log = new SealedLog();
    log.addAudit(1);
    expect(await judge(log.files({ size }), [log.verifierKey()])).toEqual(SOUND);
  });

  it.each([12, 255, 256, 257, 511, 512, 513, 1000, 65_536, 65_539])(
    'of %d entries is sound',
    async (size) => {
      const log = variedLog(size);
      expect(await judge(log.files(), [log.verifierKey()])).toEqual(SOUND);
    },
  );

  it('is sound at a size that it had before', async () => {
    const log = new SealedLog();
    log.addAudit(600);
    expect(await judge(log.files({ size: 300 }), [log.verifierKey()])).toEqual(SOUND);
  });

  it('is sound by each of two keys during a rotation', async () => {
    const log = new SealedLog();
    const second = log.addKey();
    const files = log.files({ keys: [log.key, second] });
    const [oldText, newText] = [log.verifierKey(), log.verifierKey(second)];
    expect(await judge(files, [oldText])).toEqual(SOUND);
    expect(await judge(files, [newText])).toEqual(SOUND);
    expect(await judge(files, [newText, oldText])).toEqual(SOUND);
  });
});

/** Alters the log of 600 entries, whose second bundle, 256 to 511, is full and whose third has 88. */
type Alteration = (files: LogFiles, log: SealedLog) => void;

/** Changes a file of the export. */
function edit(files: LogFiles, path: string, change: (content: Buffer) => Buffer): void {
  const content = files.get(path);
  if (content === undefined) throw new Error(`The export has no ${path}.`);
  const changed = change(Buffer.from(content));
  expect(changed.equals(content)).toBe(false);
  files.set(path, changed);
}

/** Changes all entries, and writes as many into the bundles as were there, if there are as many. */
function editEntries(files: LogFiles, change: (entries: Buffer[]) => Buffer[]): void {
  const widths = { 'tile/entries/000': 256, 'tile/entries/001': 256, 'tile/entries/002.p/88': 88 };
  const bundles = Object.entries(widths);
  const entries = change(bundles.flatMap(([path, width]) => decodeEntries(files.get(path)!, width)));
  for (const [path, width] of bundles) files.set(path, encodeEntries(entries.splice(0, width)));
}

const flipped = (at: number) => (bytes: Buffer) => {
  bytes[at]! ^= 1;
  return bytes;
};

/** Signs with the log's own key what is not so. */
function signFalsely(files: LogFiles, log: SealedLog, statement: { size: number; rootHash: Buffer }): void {
  const signers = [{ name: log.origin, privateKey: log.key }];
  files.set(
    'checkpoint',
    Buffer.from(signNote(formatCheckpoint({ origin: log.origin, ...statement }), signers)),
  );
}

/** The name of each alteration, the finding of the judge of Go's packages, and the alteration itself. */
const FOUND_BY_BOTH: [string, RegExp, Alteration][] = [
  ['an entry was edited', /is signed$/m, (files) => edit(files, 'tile/entries/001', flipped(2000))],
  [
    'an entry was deleted',
    /the bundle ends within entry 599$/m,
    (files) => editEntries(files, (entries) => entries.toSpliced(300, 1)),
  ],
  [
    'an entry was put in',
    /is signed$/m,
    (files) => editEntries(files, (entries) => entries.toSpliced(300, 0, entries[400]!)),
  ],
  [
    'two entries changed places',
    /is signed$/m,
    (files) => editEntries(files, (entries) => entries.with(20, entries[21]!).with(21, entries[20]!)),
  ],
  [
    'the last entries were cut off',
    /002\.p\/88: no such file/m,
    (files) => files.delete('tile/entries/002.p/88'),
  ],
  [
    'the log was cut off, under the old checkpoint',
    /002\.p\/88: no such file/m,
    (files, log) => {
      const checkpoint = files.get('checkpoint')!;
      files.clear();
      for (const [path, content] of log.files({ size: 599 })) files.set(path, content);
      files.set('checkpoint', checkpoint);
    },
  ],
  [
    'a hash of a full tile was edited',
    /the tile tile\/0\/001 is not that of the entries$/m,
    (files) => edit(files, 'tile/0/001', flipped(100)),
  ],
  [
    'a hash of a partial tile was edited',
    /the tile tile\/0\/002\.p\/88 is not that of the entries$/m,
    (files) => edit(files, 'tile/0/002.p/88', flipped(100)),
  ],
  [
    'a hash of an upper tile was edited',
    /the tile tile\/1\/000\.p\/2 is not that of the entries$/m,
    (files) => edit(files, 'tile/1/000.p/2', flipped(63)),
  ],
  [
    'a tile was cut off',
    /the tile tile\/0\/001 is not that of the entries$/m,
    (files) => edit(files, 'tile/0/001', (bytes) => bytes.subarray(0, -32)),
  ],
  ['a tile is missing', /tile\/1\/000\.p\/2: no such file/m, (files) => files.delete('tile/1/000.p/2')],
  [
    'an entry and its hash were edited',
    /is signed$/m,
    (files) => {
      edit(files, 'tile/entries/000', flipped(50));
      const [entry] = decodeEntries(files.get('tile/entries/000')!, 256);
      edit(files, 'tile/0/000', (bytes) => Buffer.concat([leafHash(entry!), bytes.subarray(32)]));
    },
  ],
  [
    'all was made again after an edit, and the signature kept',
    /is signed$/m,
    (files, log) => {
      const checkpoint = files.get('checkpoint')!;
      log.entries[7] = { ...log.entries[7]!, leaf: flipped(9)(Buffer.from(log.entries[7]!.leaf)) };
      for (const [path, content] of log.files()) files.set(path, content);
      files.set('checkpoint', checkpoint);
    },
  ],
  [
    'all was made again after an edit, and signed by another key',
    /note has no verifiable signatures$/m,
    (files, log) => {
      log.entries[7] = log.entries[8]!;
      const { privateKey } = generateKeyPairSync('ed25519');
      for (const [path, content] of log.files({ keys: [privateKey] })) files.set(path, content);
    },
  ],
  [
    'the checkpoint has another size than was signed',
    /invalid signature for key/m,
    (files) => edit(files, 'checkpoint', (note) => Buffer.from(String(note).replace('\n600\n', '\n599\n'))),
  ],
  [
    'the signed size is another one than that of the root',
    /is signed$/m,
    (files, log) => {
      for (const [path, content] of log.files({ size: 599 })) files.set(path, content);
      signFalsely(files, log, { size: 599, rootHash: log.root() });
    },
  ],
  [
    'the signed size is larger than the log',
    /002\.p\/89: no such file/m,
    (files, log) => signFalsely(files, log, { size: 601, rootHash: log.root() }),
  ],
  [
    'the signed root is another one',
    /is signed$/m,
    (files, log) => signFalsely(files, log, { size: 600, rootHash: log.root(599) }),
  ],
  [
    'the checkpoint is that of another log, with the same key',
    /has signed a checkpoint of plat\.example\/log\/other$/m,
    (files, log) => {
      const statement = { origin: 'plat.example/log/other', size: 600, rootHash: log.root() };
      const signers = [{ name: log.origin, privateKey: log.key }];
      files.set('checkpoint', Buffer.from(signNote(formatCheckpoint(statement), signers)));
    },
  ],
  ['there is no checkpoint', /checkpoint: no such file/m, (files) => files.delete('checkpoint')],
];

/** Tessera's checker knows no fields, and reads no further than the entries that it expects. */
const FOUND_BY_GO_ALONE: [string, RegExp, Alteration][] = [
  [
    'a field was edited',
    /entry 256 does not commit to the fields/m,
    (files) => edit(files, 'disclosed/001', (text) => Buffer.from(String(text).replace('alice', 'alicf'))),
  ],
  [
    'a salt was edited',
    /entry 256 does not commit to the fields/m,
    (files) =>
      edit(files, 'disclosed/001', (text) =>
        Buffer.from(String(text).replace(/(?<="salt":")./, (digit) => (digit === 'A' ? 'B' : 'A'))),
      ),
  ],
  [
    'fields are withheld, and no erasure names them',
    /entry 256 has no fields, and no erasure names it$/m,
    (files) =>
      edit(files, 'disclosed/001', (text) =>
        Buffer.from(String(text).replace(/^\{"index":256,.*$/m, '{"index":256}')),
      ),
  ],
  [
    'fields are withheld that an erasure before them names',
    /entry 9 has no fields, and no erasure names it$/m,
    (files, log) => {
      log.entries.splice(5, log.size);
      log.seal('erasure', '0190cccc-0000-7000-8000-000000000001', { entries: '9', reason: 'person' });
      log.addAudit(594);
      log.entries[9] = { leaf: log.entries[9]!.leaf };
      for (const [path, content] of log.files()) files.set(path, content);
    },
  ],
  [
    'what is disclosed of two entries changed places',
    /entry 1 is disclosed by the line/m,
    (files) =>
      edit(files, 'disclosed/000', (text) => {
        const lines = String(text).split('\n');
        return Buffer.from([lines[1], lines[0], ...lines.slice(2)].join('\n'));
      }),
  ],
  [
    'a bundle has an entry more',
    /the bundle goes on after entry 599$/m,
    (files) =>
      edit(files, 'tile/entries/002.p/88', (bundle) =>
        Buffer.concat([bundle, encodeEntries([Buffer.from('more')])]),
      ),
  ],
];

describe('a log that was altered', () => {
  it.each(FOUND_BY_BOTH)('is refused by both: %s', async (_what, reason, alter) => {
    const log = variedLog(600);
    const files = log.files();
    alter(files, log);
    const { go, tessera } = await judge(files, [log.verifierKey()]);
    expect(go).toMatch(/^log-judge: /);
    expect(go).toMatch(reason);
    expect(tessera).toMatch(/fsck failed: |panic: /);
  });

  it.each(FOUND_BY_GO_ALONE)('is refused by the judge of Go’s packages: %s', async (_what, reason, alter) => {
    const log = variedLog(600);
    const files = log.files();
    alter(files, log);
    const { go, tessera } = await judge(files, [log.verifierKey()]);
    expect(go).toMatch(/^log-judge: /);
    expect(go).toMatch(reason);
    expect(tessera).toBe('sound');
  });
});

describe('proofs', () => {
  const log = new SealedLog();
  log.addAudit(699);
  const read = log.reader();
  const roots = Array.from({ length: log.size + 1 }, (_, size) => log.root(size));
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const random = new Random(3);
  const below = (limit: number) => Math.floor(random.next() * limit);

  /** Every second proof is altered in one place, which may lie in what is proved as well. */
  function perhapsAltered<Claim extends object>(
    claim: Claim,
    hashes: Buffer[],
  ): Claim & { hashes: Buffer[] } {
    const at = below(hashes.length + 1);
    const flippedHash = flipped(below(32))(Buffer.from(hashes[at] ?? roots[3]!));
    const numbers = Object.entries(claim).filter(([, value]) => typeof value === 'number');
    const [name, value] = random.pick(numbers) as [string, number];
    return random.pick([
      ...Array<Claim & { hashes: Buffer[] }>(4).fill({ ...claim, hashes }),
      { ...claim, hashes: hashes.toSpliced(at, 1, flippedHash) },
      { ...claim, hashes: hashes.toSpliced(at, 1) },
      { ...claim, hashes: hashes.toSpliced(at, 0, flippedHash) },
      { ...claim, hashes, [name]: value + random.pick([-1, 1]) },
    ]);
  }

  /** Positions of the proofs that Go's package refuses. */
  async function listRefusedByGo(
    kind: 'inclusion' | 'consistency',
    proofs: readonly object[],
  ): Promise<number[]> {
    const { code, stdout } = await runJudge(peer('log-judge'), [kind], JSON.stringify(proofs));
    const refused = JSON.parse(stdout) as number[];
    expect(code).toBe(refused.length > 0 ? 1 : 0);
    return refused;
  }

  const positionsOf = (verdicts: readonly boolean[]) =>
    verdicts.flatMap((isSound, at) => (isSound ? [] : [at]));

  it('of inclusion are judged by Go’s package as by us, altered or not', async () => {
    const proofs = [];
    for (let count = 0; count < 3000; count += 1) {
      const size = 1 + below(log.size);
      const index = below(size);
      proofs.push(
        perhapsAltered({ index, size, entryIndex: index }, await inclusionProof({ index, size }, read)),
      );
    }
    const ours = proofs.map(({ index, size, entryIndex, hashes }) =>
      verifyInclusion(
        {
          index,
          leafHash: leafHash(log.entries[entryIndex]?.leaf ?? Buffer.alloc(0)),
          head: { size, rootHash: roots[size] ?? roots[0]! },
        },
        hashes,
      ),
    );
    const texts = proofs.map(({ index, size, entryIndex, hashes }) => ({
      index,
      size,
      entry: base64(log.entries[entryIndex]?.leaf ?? Buffer.alloc(0)),
      rootHash: base64(roots[size] ?? roots[0]!),
      hashes: hashes.map(base64),
    }));
    expect(await listRefusedByGo('inclusion', texts)).toEqual(positionsOf(ours));
    expect(ours.filter(Boolean).length).toBeGreaterThan(1000);
    expect(positionsOf(ours).length).toBeGreaterThan(1000);
  });

  it('of consistency are judged by Go’s package as by us, altered or not', async () => {
    const proofs = [];
    for (let count = 0; count < 3000; count += 1) {
      const to = 2 + below(log.size - 1);
      // Go's package has no proof from the empty log.
      const from = 2 + below(to - 1);
      proofs.push(perhapsAltered({ from, to }, await consistencyProof({ from, to }, read)));
    }
    const heads = proofs.map(({ from, to, hashes }) => ({
      from: { size: from, rootHash: roots[from] ?? roots[0]! },
      to: { size: to, rootHash: roots[to] ?? roots[0]! },
      hashes,
    }));
    const ours = heads.map((growth) => verifyConsistency(growth, growth.hashes));
    const texts = heads.map(({ from, to, hashes }) => ({
      from: from.size,
      fromRootHash: base64(from.rootHash),
      to: to.size,
      toRootHash: base64(to.rootHash),
      hashes: hashes.map(base64),
    }));
    expect(await listRefusedByGo('consistency', texts)).toEqual(positionsOf(ours));
    expect(ours.filter(Boolean).length).toBeGreaterThan(1000);
    expect(positionsOf(ours).length).toBeGreaterThan(1000);
  });

  it('cannot be made between two views of one log, each of which is sound', async () => {
    const other = new SealedLog(log.origin);
    other.addAudit(50);
    const consistency = {
      from: 51,
      fromRootHash: base64(other.root()),
      to: log.size,
      toRootHash: base64(log.root()),
      hashes: (await consistencyProof({ from: 51, to: log.size }, read)).map(base64),
    };
    expect(await listRefusedByGo('consistency', [consistency])).toEqual([0]);
  });
});
