import assert from 'node:assert/strict';
import { isCommitted, leafHash, openCheckpoint, parseLeaf, TileBuilder, verifierKeyOf } from '@plat/ledger';
import type { TestDatabase } from '../database/test-database';
import { TEST_TENANTS, TEST_USERS } from '../directory/test-directory';

/** An entry of a log, with the fields that it commits to unless they were erased. */
export interface StoredEntry {
  leaf_index: string;
  leaf: string;
  open_salt: Buffer | null;
  id: string;
  kind: string;
  fields: string | null;
}

interface StoredLog {
  size: string;
  root: Buffer;
  note: string;
  origin: string;
  keys: Buffer[];
}

interface StoredTile {
  level: number;
  tile_index: string;
  hashes: Buffer;
}

/** Statement that writes rows of the trail as audit.record_requests does, with text that JSON must escape. */
export const INSERT_TRAIL = `
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
    external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT $1, gen_random_uuid(), 'r' || i, $2, E'sub "\\\\ \\n\\x01é' || i, 'https://issuer.example', CASE WHEN i % 2 = 0 THEN 'org' END,
         CASE WHEN i % 3 = 0 THEN 'MCP' ELSE 'API' END, 'POST', '/v1/reviews', CASE WHEN i % 3 = 0 THEN 'review_list' END,
         CASE WHEN i % 5 = 0 THEN '{"reason": "why"}'::jsonb END, clock_timestamp()
    FROM generate_series(1, $3) AS i`;

const INSERT_LANDINGS = `
  WITH landed AS (
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
    SELECT $1, gen_random_uuid(), $2, 'landing ' || gen_random_uuid(), gen_random_uuid(), 'main' FROM generate_series(1, $3)
    RETURNING review_id)
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip, source_tip)
  SELECT $1, review_id, 'reconciled', 'https://git.example/r', 'https://git.example/r', 'main', repeat('c', 40), repeat('c', 40)
    FROM landed RETURNING review_id`;

const INSERT_VERDICT = `
  INSERT INTO reviews.later_contents (tenant_id, review_id, content_verdict, content_reason, content_findings,
    content_findings_left_out) VALUES ($1, $2, 'UNKNOWN', 'no_source', '[]', 0)`;

/** Writes rows to seal in a database, and judges the logs that come of them. */
export class SealingScene {
  constructor(
    private readonly database: TestDatabase,
    /** The host in the names of logs. */
    readonly host = 'plat.example',
  ) {}

  /** Writes rows of the trail, which can be sealed when this returns. */
  async write(rows: number, tenant: string = TEST_TENANTS.acme.tenantId): Promise<void> {
    await this.database.query(INSERT_TRAIL, [tenant, TEST_USERS.alice.userId, rows]);
    await this.settle();
  }

  /** Lands this many reviews. @returns their ids */
  async land(reviews: number, tenant: string = TEST_TENANTS.acme.tenantId): Promise<string[]> {
    const landed = await this.database.force<{ review_id: string }>(INSERT_LANDINGS, [
      tenant,
      TEST_USERS.alice.userId,
      reviews,
    ]);
    return landed.map(({ review_id: id }) => id);
  }

  /** Gives a landing a later verdict on its content. */
  async judge(review: string, tenant: string = TEST_TENANTS.acme.tenantId): Promise<void> {
    await this.database.force(INSERT_VERDICT, [tenant, review]);
  }

  /** Waits until no transaction is open any more that began before these rows: other databases of the cluster have some. */
  async settle(): Promise<void> {
    for (let settled = false; !settled;) {
      const [row] = await this.database.query<{ settled: boolean }>(
        `SELECT coalesce(bool_and(written_in < pg_snapshot_xmin(pg_current_snapshot())), true) AS settled
           FROM audit.audit_events WHERE written_in < pg_snapshot_xmax(pg_current_snapshot())`,
      );
      settled = row!.settled;
    }
  }

  /** Seals what is due by some key, in one transaction, without signing it: about this many entries at most. */
  async seal(most = 1000): Promise<{ sealed: number; more: boolean }> {
    const [batch] = await this.database.query<{ sealed: number; more: boolean }>(
      `SELECT sealed, more FROM ledger.seal_due($1, ARRAY[sha256('key')], 256, 0, $2)`,
      [this.host, most],
    );
    return batch!;
  }

  entriesOf(tenant: string): Promise<StoredEntry[]> {
    return this.database.query<StoredEntry>(
      `SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed) AS leaf, x.open_salt, x.id, x.kind,
              ledger.disclosed(x) AS fields
         FROM ledger.entries x WHERE x.tenant_id = $1 ORDER BY x.leaf_index`,
      [tenant],
    );
  }

  /**
   * Recomputes a log from its entries by libs/ledger, and compares what is stored and signed.
   *
   * @returns its entries
   * @throws AssertionError
   */
  async expectSound(tenant: string): Promise<StoredEntry[]> {
    const [entries, [log], tiles] = await Promise.all([
      this.entriesOf(tenant),
      this.database.query<StoredLog>(
        'SELECT size::text, root, note, origin, keys FROM ledger.logs WHERE tenant_id = $1',
        [tenant],
      ),
      this.database.query<StoredTile>(
        'SELECT level, tile_index::text, hashes FROM ledger.tiles WHERE tenant_id = $1 ORDER BY level, tile_index',
        [tenant],
      ),
    ]);
    assert(log !== undefined, 'the tenant has no log');
    assert.deepEqual(
      entries.map(({ leaf_index: index }) => Number(index)),
      entries.map((_, at) => at),
    );
    const root = expectTiles(entries, tiles);
    const { checkpoint } = openCheckpoint(
      log.note,
      log.keys.map((key) => verifierKeyOf(log.origin, key)),
    );
    const stored = { origin: log.origin, size: Number(log.size), root: log.root.toString('hex') };
    assert.deepEqual(stored, { origin: `${this.host}/log/${tenant}`, size: entries.length, root });
    const { origin, size, rootHash } = checkpoint;
    assert.deepEqual({ origin, size, root: Buffer.from(rootHash).toString('hex') }, stored);
    entries.forEach(expectCommitted);
    return entries;
  }
}

/** @returns the root of the entries, as hex */
function expectTiles(entries: StoredEntry[], tiles: StoredTile[]): string {
  const builder = new TileBuilder();
  const built = entries.flatMap(({ leaf }) => builder.append(leafHash(Buffer.from(leaf))));
  assert.deepEqual(
    tiles.map(({ level, tile_index: index, hashes }) => [level, Number(index), hashes.toString('hex')]),
    [...built, ...builder.partialTiles()]
      .map(({ level, index, hashes }) => [level, index, Buffer.from(hashes).toString('hex')] as const)
      .sort(([l, i], [m, j]) => l - m || i - j),
  );
  return Buffer.from(builder.root()).toString('hex');
}

function expectCommitted({ leaf, open_salt: salt, fields, id, kind }: StoredEntry): void {
  const parsed = parseLeaf(Buffer.from(leaf));
  assert.deepEqual({ id: parsed.id, kind: parsed.kind }, { id, kind });
  if (salt !== null) assert(isCommitted(parsed.open, { salt, fields: fields! }), `entry ${id} is altered`);
}
