import type { LogStand } from './stand';

/** A fault that is seeded into the database to check that rounds notice it. */
export interface Mutant {
  /** Replacements in the source of a function. */
  edits: readonly { fn: string; from: string; to: string }[];
  /** Statement that removes what would refuse the fault at once, and the one that puts it back. */
  without?: { remove: string; putBack: string };
  /** Whether most rounds do not meet it, so that it takes the nightly rounds' time to be noticed. */
  rare?: true;
}

const OLDEST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())';
const YOUNGEST = 'pg_snapshot_xmax(pg_current_snapshot())';

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'rows are sealed while an older transaction runs': {
    edits: [{ fn: 'ledger.seal_log', from: OLDEST_RUNNING, to: YOUNGEST }],
  },
  'rows are picked by a clock': {
    edits: [
      { fn: 'ledger.seal_log', from: OLDEST_RUNNING, to: YOUNGEST },
      {
        fn: 'ledger.seal_audit_rows',
        from: 'e.written_in >= log.sealed_below',
        to: `e.created_at > coalesce((SELECT max(x.at) FROM ledger.entries x
                                       WHERE x.tenant_id = log.tenant_id AND x.kind = 'audit'), '-infinity')`,
      },
    ],
  },
  'two sealers work on a log, and nothing makes an entry unique': {
    edits: [
      { fn: 'ledger.seal_log', from: 'FOR UPDATE SKIP LOCKED', to: '' },
      // Two of them meet in a short time only, which is made longer, so that few rounds suffice.
      {
        fn: 'ledger.seal_log',
        from: 'sealed := ledger.seal_keys',
        to: 'PERFORM pg_sleep(0.02); sealed := ledger.seal_keys',
      },
    ],
    without: {
      remove: `ALTER TABLE ledger.entries DROP CONSTRAINT entries_pkey, DROP CONSTRAINT entries_tenant_id_kind_id_part_key`,
      // The entries of two sealers are deleted first.
      putBack: `DELETE FROM ledger.entries;
        ALTER TABLE ledger.entries ADD PRIMARY KEY (tenant_id, leaf_index), ADD UNIQUE (tenant_id, kind, id, part)`,
    },
  },
  'after a restore the trail is not gone through': {
    edits: [{ fn: 'ledger.seal_log', from: 'IF log.cluster <> ledger.cluster() THEN', to: 'IF false THEN' }],
    rare: true,
  },
  'an erasure gets no entry': {
    edits: [{ fn: 'ledger.seal_erasures', from: 'AND NOT r.sealed', to: 'AND false' }],
  },
  'a full tile is no hash of the level above': {
    edits: [{ fn: 'ledger.add_hashes', from: 't.tile_index < past / 256', to: 'false' }],
  },
  'a key is not recorded': {
    edits: [{ fn: 'ledger.seal_keys', from: 'u.key <> ALL (log.keys)) AS k', to: 'log.size = 0) AS k' }],
    rare: true,
  },
  'the operator does not look at hidden fields': {
    edits: [
      {
        fn: 'ledger.altered_entries',
        from: 'OR x.closed <> ledger.commitment(x.closed_salt, ledger.hidden_audit_fields(e))',
        to: '',
      },
    ],
    rare: true,
  },
};

/**
 * Seeds a fault.
 *
 * @returns what takes it out again
 * @throws Error if a function no longer has what is replaced
 */
export async function seedMutant(
  { writers: owner }: LogStand,
  { edits, without }: Mutant,
): Promise<() => Promise<void>> {
  const restore = without ? [without.putBack] : [];
  for (const { fn, from, to } of edits) {
    const { rows } = await owner.query<{ source: string }>(
      'SELECT pg_get_functiondef($1::regproc) AS source',
      [fn],
    );
    const { source } = rows[0]!;
    const edited = source.replace(from, () => to);
    if (edited === source) throw new Error(`${fn} no longer has what the mutant replaces`);
    await owner.query(edited);
    restore.push(source);
  }
  if (without) await owner.query(without.remove);
  return async () => {
    for (const sql of restore) await owner.query(sql);
  };
}
