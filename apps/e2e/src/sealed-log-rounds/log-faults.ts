import type { Fault } from './faults';
import type { Findings } from './judgement';
import { exchange, forge, readSealedRows, run, type SealedRow, shift } from './rewriting';
import type { Round } from './round';

/** Every observer finds an entry that is not the signed one. */
const FOUND: Findings = { key: 'ALTERED', known: 'ALTERED', client: 1, operator: true };
/** `plat audit export` computes the tiles from the entries, and takes none from the platform. */
const IN_TILES: Findings = { ...FOUND, client: 0 };
/** The findings on data that no route shows. */
const ONLY_OPERATOR: Findings = { key: 'SOUND', known: 'SOUND', client: 0, operator: true };

const set = (what: string) => (round: Round, row: SealedRow) =>
  run(round, `UPDATE ledger.entries SET ${what} WHERE tenant_id = $1 AND leaf_index = $2`, row.index);

const toEntry = (
  alter: (round: Round, row: SealedRow, rows: SealedRow[]) => Promise<unknown>,
  more: Partial<Fault> = {},
): Fault => ({
  alter: async (round) => {
    const rows = await readSealedRows(round);
    await alter(round, round.random.pick(rows.slice(0, -1)), rows);
  },
  found: FOUND,
  goesOn: true,
  ...more,
});
const toLog = (sql: string, found: Findings): Fault => ({
  alter: async (round) => void (await run(round, sql)),
  found,
});

/** Entries, tiles and the row of a log altered, and nothing signed. */
export const LOG_FAULTS: Readonly<Record<string, Fault>> = {
  'a commitment edited': toEntry(set(`open = sha256('another')`)),
  'a hidden commitment edited': toEntry(set(`closed = sha256('another')`)),
  'the id of an entry edited': toEntry(set('id = gen_random_uuid()')),
  'the time of an entry edited': toEntry(set(`at = at + interval '1 us'`)),
  'an entry deleted': toEntry((round, { index }) =>
    run(round, 'DELETE FROM ledger.entries WHERE tenant_id = $1 AND leaf_index = $2', index),
  ),
  'a row and its entry deleted, and the others moved up': toEntry(
    async (round, { index, id }) => {
      await run(round, 'DELETE FROM audit.audit_events WHERE tenant_id = $1 AND audit_event_id = $2', id);
      await run(round, 'DELETE FROM ledger.entries WHERE tenant_id = $1 AND leaf_index = $2', index);
      await shift(round, index + 1, -1);
    },
    { goesOn: false },
  ),
  'a row and its entry put in': toEntry(
    async (round, row) => {
      await shift(round, row.index, 1);
      await forge(round, row, row.index);
    },
    { goesOn: false },
  ),
  'an entry put behind the last one': {
    // The entry is beyond the signed size, so no reader sees it. The next sealing fails on it and raises the alarm.
    alter: async (round) => {
      const last = (await readSealedRows(round)).at(-1)!;
      const end = await run(round, 'SELECT FROM ledger.entries WHERE tenant_id = $1');
      await forge(round, last, end);
    },
    found: ONLY_OPERATOR,
  },
  'two entries exchanged': toEntry(async (round, row, rows) => {
    await exchange(round, row, round.random.pick(rows.filter(({ index }) => index !== row.index)));
  }),
  'the key of an entry edited': toLog(
    `UPDATE ledger.entries SET public_key = sha256('another') WHERE tenant_id = $1 AND leaf_index = 0`,
    { ...FOUND, operator: false },
  ),
  'a hash of a tile edited': toLog(
    `UPDATE ledger.tiles SET hashes = sha256('another') || substr(hashes, 33) WHERE tenant_id = $1 AND level = 0 AND tile_index = 0`,
    IN_TILES,
  ),
  'a tile deleted': toLog('DELETE FROM ledger.tiles WHERE tenant_id = $1 AND tile_index = 0', IN_TILES),
  'the stored root edited': toLog(
    `UPDATE ledger.logs SET root = sha256('another') WHERE tenant_id = $1`,
    ONLY_OPERATOR,
  ),
  'the checkpoint edited': toLog(
    String.raw`UPDATE ledger.logs SET note = regexp_replace(note, '\n[^\n]+\n\n', E'\n' || encode(sha256('another'), 'base64') || E'\n\n')
      WHERE tenant_id = $1`,
    FOUND,
  ),
};
