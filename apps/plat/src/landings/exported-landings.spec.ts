import { parseVerifierKey } from '@plat/ledger';
import { type LogFiles, SealedLog } from '@plat/testing';
import { forkOf } from '../black-box/served-log';
import type { LogFolder } from '../sealed-log/log-folder';
import { readCheckpoint } from '../sealed-log/signed-checkpoint';
import { verifyLandings } from './exported-landings';

/** A folder that someone exchanges while it is read: a file has its second content once it was read. */
function exchanged(first: LogFiles, second: LogFiles): LogFolder {
  const files = new Map(first);
  return {
    paths: () => first.keys(),
    read: (path) => {
      const content = files.get(path);
      if (second.has(path)) files.set(path, second.get(path)!);
      return Promise.resolve(content);
    },
  };
}

const folderOf = (files: LogFiles): LogFolder => exchanged(files, new Map());

describe('the landings of an exported log', () => {
  it('are those that were verified, whatever the files become meanwhile', async () => {
    const log = new SealedLog();
    log.addAudit(300);
    log.addLanding({ name: 'First' });
    const other = forkOf(log, log.size - 1);
    other.addLanding({ name: 'Exchanged' });
    const trusted = { keys: [parseVerifierKey(log.verifierKey())], known: [] };
    const files = exchanged(log.files(), other.files({ keys: [log.key] }));
    const { landings, size } = await verifyLandings(files, trusted);
    expect(landings.map(({ index, statement }) => [index, statement.name])).toEqual([[301, 'First']]);
    expect(size).toBe(302);
  });

  it.each<[string, (log: SealedLog) => LogFiles, object]>([
    [
      'outdated if they are sound',
      (log) => log.files({ size: 6 }),
      {
        code: 'EXPORT_OUTDATED',
        message: expect.stringContaining(
          'is sound and has 6 entries, but this client has seen the log with 15',
        ),
      },
    ],
    [
      'altered if they are edited',
      (log) => log.files({ size: 6 }).set('tile/entries/000.p/6', Buffer.from('x')),
      { code: 'LOG_ALTERED' },
    ],
    [
      "altered if a stranger's key has signed them",
      (log) => log.files({ size: 6, keys: [new SealedLog().key] }),
      { code: 'LOG_ALTERED' },
    ],
  ])('are called %s, although this client has seen more', async (_what, filesOf, expected) => {
    const log = new SealedLog();
    log.addAudit(14);
    const keys = [parseVerifierKey(log.verifierKey())];
    const remembered = () => Promise.resolve(readCheckpoint(log.checkpoint()));
    const read = verifyLandings(folderOf(filesOf(log)), { keys, known: [], remembered });
    await expect(read).rejects.toMatchObject(expected);
  });
});
