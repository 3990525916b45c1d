import { parseVerifierKey } from '@plat/ledger';
import { type LogFiles, SealedLog } from '@plat/testing';
import { forkOf } from '../black-box/served-log';
import type { LogFolder } from '../sealed-log/log-folder';
import { verifiedLandings } from './exported-landings';

/** A folder that somebody exchanges while it is read: a file has its second content once it was read. */
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

describe('the landings of an exported log', () => {
  it('are those that were verified, whatever the files become meanwhile', async () => {
    const log = new SealedLog();
    log.addAudit(300);
    log.addLanding({ name: 'First' });
    const other = forkOf(log, log.size - 1);
    other.addLanding({ name: 'Exchanged' });
    const trusted = { keys: [parseVerifierKey(log.verifierKey())], known: [] };
    const files = exchanged(log.files(), other.files({ keys: [log.key] }));
    const { landings, size } = await verifiedLandings(files, trusted);
    expect(landings.map(({ index, statement }) => [index, statement.name])).toEqual([[301, 'First']]);
    expect(size).toBe(302);
  });
});
