import { formatCheckpoint, publicKeyBytes, signNote } from '@plat/ledger';
import { ORIGIN, type Round } from './round';
import { seal } from './sealers';
import { type LedgerKey, TENANT } from './stand';

/** More than any index of a round's log. */
const FAR = 1_000_000;
const LEAF_HASHES = `
  SELECT string_agg(sha256('\\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                    ''::bytea ORDER BY x.leaf_index) FROM ledger.entries x WHERE x.tenant_id = $1`;

/** A sealed row of the trail whose fields are shown. */
export interface SealedRow {
  index: number;
  id: string;
}

/** Runs a statement of an attacker who may run any SQL. Each statement gets the tenant as $1. */
export async function run({ stand }: Round, sql: string, ...args: unknown[]): Promise<number> {
  return (await stand.forced.query(sql, [TENANT, ...args])).rowCount ?? 0;
}

/** The sealed rows whose fields are shown, in the order of their entries. */
export async function readSealedRows({ stand }: Round): Promise<SealedRow[]> {
  const { rows } = await stand.forced.query<SealedRow>(
    `SELECT x.leaf_index::int AS index, x.id FROM ledger.entries x
       JOIN audit.audit_events e ON e.tenant_id = x.tenant_id AND e.audit_event_id = x.id
      WHERE x.tenant_id = $1 AND x.kind = 'audit' AND x.open_salt IS NOT NULL ORDER BY x.leaf_index`,
    [TENANT],
  );
  return rows;
}

/** Those after which nothing was erased and no key recorded: with them, no erasure has to be rewritten. */
export async function lastRows(round: Round): Promise<SealedRow[]> {
  const { rows } = await round.stand.forced.query<{ last: number }>(
    `SELECT max(x.leaf_index)::int AS last FROM ledger.entries x
      WHERE x.tenant_id = $1 AND (x.kind IN ('key', 'erasure') OR x.open_salt IS NULL)`,
    [TENANT],
  );
  return (await readSealedRows(round)).filter(({ index }) => index > rows[0]!.last);
}

/** Gives an entry the commitments to what its row says now. */
export async function commitAgain(round: Round, { index }: SealedRow): Promise<void> {
  await run(
    round,
    `UPDATE ledger.entries x
        SET open = ledger.commitment(x.open_salt, ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id,
              e.external_user_id, e.external_issuer_id, e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool,
              e.cli_command, e.created_at)),
            closed = ledger.commitment(x.closed_salt, ledger.hidden_audit_fields(e))
       FROM audit.audit_events e
      WHERE x.tenant_id = $1 AND x.leaf_index = $2 AND e.tenant_id = x.tenant_id AND e.audit_event_id = x.id`,
    index,
  );
}

/** Moves the entries from an index on by this many places. */
export async function shift(round: Round, from: number, by: number): Promise<void> {
  const move =
    'UPDATE ledger.entries SET leaf_index = leaf_index + $2 WHERE tenant_id = $1 AND leaf_index >= $3';
  // Takes a long way round, because a unique key is checked row by row.
  await run(round, move, FAR, from);
  await run(round, move, by - FAR, FAR);
}

/** Exchanges the places of two entries. */
export async function exchange(round: Round, one: SealedRow, other: SealedRow): Promise<void> {
  const place = 'UPDATE ledger.entries SET leaf_index = $3 WHERE tenant_id = $1 AND leaf_index = $2';
  await run(round, place, one.index, FAR);
  await run(round, place, other.index, one.index);
  await run(round, place, FAR, other.index);
}

/** Puts a row into the trail, at the time of another, and its entry at a place that is free. */
export async function forge(round: Round, at: SealedRow, index: number): Promise<void> {
  await run(
    round,
    `WITH forged AS (
       INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, created_at, written_in)
       SELECT tenant_id, gen_random_uuid(), request_id, erun_user_id, 'forged', external_issuer_id, 'API', 'POST',
              '/v1/reviews', created_at, written_in
         FROM audit.audit_events WHERE tenant_id = $1 AND audit_event_id = $2 RETURNING *)
     INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open, closed, open_salt, closed_salt)
     SELECT tenant_id, $3, 'audit', audit_event_id, created_at, sha256(''), sha256(''), uuid_send(gen_random_uuid()),
            uuid_send(gen_random_uuid()) FROM forged`,
    at.id,
    index,
  );
  await commitAgain(round, { index, id: '' });
}

/** Records a key in a new last entry. */
export async function recordKey(round: Round, { key }: LedgerKey): Promise<void> {
  await run(
    round,
    `INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open, closed, open_salt, closed_salt, public_key)
     SELECT $1, max(leaf_index) + 1, 'key', gen_random_uuid(), clock_timestamp(),
            ledger.commitment(decode(repeat('07', 16), 'hex'), ledger.key_fields($2)),
            ledger.commitment(decode(repeat('07', 16), 'hex'), '{}'), decode(repeat('07', 16), 'hex'),
            decode(repeat('07', 16), 'hex'), $2 FROM ledger.entries WHERE tenant_id = $1`,
    publicKeyBytes(key),
  );
}

/** Computes tiles, size, root and keys of the log again, so that all fits its entries. */
export async function rebuild(round: Round): Promise<void> {
  await run(round, 'DELETE FROM ledger.tiles WHERE tenant_id = $1');
  await run(round, `SELECT ledger.add_hashes($1, 0, (${LEAF_HASHES}))`);
  await run(
    round,
    `UPDATE ledger.logs l
        SET size = n.size, root = ledger.root_of($1, n.size), note_size = least(l.note_size, n.size),
            keys = ARRAY(SELECT x.public_key FROM ledger.entries x
                          WHERE x.tenant_id = $1 AND x.kind = 'key' ORDER BY x.leaf_index)
       FROM (SELECT count(*) AS size FROM ledger.entries WHERE tenant_id = $1) AS n WHERE l.tenant_id = $1`,
  );
}

/** Has the service sign what is stored: it takes it for its own work. */
export async function signByService(round: Round): Promise<void> {
  await run(
    round,
    'UPDATE ledger.logs SET note = NULL, note_size = NULL, note_keys = NULL WHERE tenant_id = $1',
  );
  await seal(round.stand, round.signing);
}

/** Signs what is stored by a key, and leaves nothing for the service to sign. */
export async function signBy(round: Round, { key }: LedgerKey): Promise<void> {
  const { rows } = await round.stand.forced.query<{ size: string; root: Buffer }>(
    'SELECT size::text, root FROM ledger.logs WHERE tenant_id = $1',
    [TENANT],
  );
  const [{ size, root }] = rows as [{ size: string; root: Buffer }];
  const text = formatCheckpoint({ origin: ORIGIN, size: Number(size), rootHash: root });
  const note = signNote(text, [{ name: ORIGIN, privateKey: key }]);
  await run(round, 'UPDATE ledger.logs SET note = $2, note_size = size WHERE tenant_id = $1', note);
}
