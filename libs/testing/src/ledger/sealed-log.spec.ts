import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCommitted, openCheckpoint, parseDisclosure, parseLeaf, parseVerifierKey } from '@plat/ledger';
import { SealedLog, writeLogFiles } from './sealed-log';

const lines = (text: Buffer): string[] => text.toString().trimEnd().split('\n');

describe('a log as the service seals it', () => {
  it('has the files of its export, the checkpoint last', () => {
    const log = new SealedLog();
    log.addAudit(299);
    expect([...log.files().keys()]).toEqual([
      'tile/entries/000',
      'disclosed/000',
      'tile/entries/001.p/44',
      'disclosed/001.p/44',
      'tile/0/000',
      'tile/0/001.p/44',
      'tile/1/000.p/1',
      'checkpoint',
    ]);
  });

  it('discloses what each entry commits to, byte for byte', () => {
    const log = new SealedLog();
    log.addAudit(2);
    log.addLanding({ name: 'a\u2028b' });
    const disclosed = lines(log.files().get('disclosed/000.p/4')!).map(parseDisclosure);
    expect(disclosed.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    for (const { index, shown } of disclosed) {
      expect(isCommitted(parseLeaf(log.entries[index]!.leaf).open, shown!)).toBe(true);
    }
  });

  it('shows nothing of erased entries, which a later entry names', () => {
    const log = new SealedLog();
    log.addAudit(5);
    const erasure = log.erase([2, 3, 5]);
    expect(log.entries[erasure]!.shown!.fields).toBe('{"entries":"2-3,5","reason":"person"}');
    const disclosed = lines(log.files().get('disclosed/000.p/7')!);
    expect(disclosed[3]).toBe('{"index":3}');
  });

  it('keeps the leaf of an erased entry, so that no root changes', () => {
    const log = new SealedLog();
    log.addAudit(5);
    const before = log.root();
    log.erase([2]);
    expect(log.root(6)).toEqual(before);
  });

  it('is signed by its first key, and by others that are asked for', () => {
    const log = new SealedLog();
    const second = log.addKey();
    const note = log.checkpoint({ keys: [log.key, second] });
    const known = [log.verifierKey(), log.verifierKey(second)].map(parseVerifierKey);
    const { checkpoint, signedBy } = openCheckpoint(note, known);
    expect(checkpoint).toEqual({ origin: log.origin, size: 2, rootHash: log.root(), extensions: [] });
    expect(signedBy).toEqual(known);
  });

  it('is written below a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-log-'));
    const log = new SealedLog();
    await writeLogFiles(folder, log.files());
    expect((await readdir(folder)).sort()).toEqual(['checkpoint', 'disclosed', 'tile']);
    expect(await readFile(join(folder, 'checkpoint'), 'utf8')).toBe(log.checkpoint());
    await rm(folder, { recursive: true });
  });
});
