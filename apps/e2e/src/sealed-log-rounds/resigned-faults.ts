import type { Fault } from './faults';
import { read, sealRest } from './history';
import type { Findings } from './judgement';
import {
  commitAgain,
  exchange,
  forge,
  lastRows,
  rebuild,
  recordKey,
  run,
  type SealedRow,
  shift,
  signBy,
  signByService,
} from './rewriting';
import type { Round } from './round';
import { type LedgerKey, newLedgerKey } from './stand';

/** Consistent in itself and unsigned: the checkpoint is not of these entries. */
const UNSIGNED: Findings = { key: 'ALTERED', known: 'ALTERED', client: 1, operator: false };
/** The log's own key has signed the altered log, so only an observer who has kept a checkpoint finds the fault. */
const CONTRADICTION: Findings = { key: 'SOUND', known: 'CONTRADICTS', client: 3, operator: false };

type Rewriting = (round: Round, row: SealedRow, rows: readonly SealedRow[]) => Promise<void>;

const deleteRow = (round: Round, { id }: SealedRow) =>
  run(round, 'DELETE FROM audit.audit_events WHERE tenant_id = $1 AND audit_event_id = $2', id);

/** The ways to write another history of a log. */
const REWRITINGS: Readonly<Record<string, Rewriting>> = {
  'a row edited': async (round, row) => {
    await run(
      round,
      `UPDATE audit.audit_events SET external_user_id = 'someone else', api_parameters = NULL
        WHERE tenant_id = $1 AND audit_event_id = $2`,
      row.id,
    );
    await commitAgain(round, row);
  },
  'a row removed': async (round, row) => {
    await deleteRow(round, row);
    await run(round, 'DELETE FROM ledger.entries WHERE tenant_id = $1 AND leaf_index = $2', row.index);
    await shift(round, row.index + 1, -1);
  },
  'a row put in': async (round, row) => {
    await shift(round, row.index, 1);
    await forge(round, row, row.index);
  },
  'two rows exchanged': async (round, row, rows) => {
    await exchange(round, row, round.random.pick(rows.filter(({ index }) => index !== row.index)));
  },
  truncated: async (round, row, rows) => {
    if (round.random.chance(0.5)) {
      for (const later of rows.filter(({ index }) => index >= row.index)) await deleteRow(round, later);
    }
    await run(round, 'DELETE FROM ledger.entries WHERE tenant_id = $1 AND leaf_index >= $2', row.index);
  },
};

/** The faults, by the signer of the other history. */
const SIGNERS: Readonly<Record<string, Fault>> = {
  // The checkpoint is still of the tree that was.
  'signed by no one': { alter: async () => undefined, found: { ...UNSIGNED, operator: true } },
  'signed by the service': { alter: signByService, found: CONTRADICTION, goesOn: true },
  'signed by a stranger': { alter: (round) => signBy(round, newLedgerKey()), found: UNSIGNED },
  'signed by a stranger whose key it records': {
    alter: async (round) => {
      const stranger = newLedgerKey();
      await recordKey(round, stranger);
      await rebuild(round);
      await signBy(round, stranger);
    },
    // The platform shows the key, and that it does not sign.
    found: UNSIGNED,
  },
  'signed by a key that leaked and was rotated': {
    alter: (round) => signBy(round, leaked(round)),
    // An observer who demands the new key refuses the old one, as a client does that pins none; one who trusts both
    // knows a checkpoint.
    found: { ...CONTRADICTION, key: 'ALTERED', client: 1 },
  },
};

const leaked = ({ keys }: Round): LedgerKey => keys[0]!;

/** Has the oldest key exchanged for another, in the two steps of a rotation. */
async function rotateAway(round: Round): Promise<void> {
  if (!round.signing.includes(leaked(round))) return;
  const next = round.signing[1] ?? newLedgerKey();
  for (const signing of [[leaked(round), next], [next]]) {
    round.signWith(signing);
    await sealRest(round);
  }
}

const rewritten = (rewrite: Rewriting, { alter: sign, ...signer }: Fault): Fault => ({
  ...signer,
  alter: async (round) => {
    await rotateAway(round);
    await read(round);
    // The requests of the reading are rows too, and sealed rows after the newest key.
    await sealRest(round);
    await read(round);
    const rows = await lastRows(round);
    await rewrite(round, round.random.pick(rows), rows);
    await rebuild(round);
    await sign(round);
  },
});

/** Logs that an attacker rewrote so that all fits together, with each signature that an attacker may have. */
export const RESIGNED_FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(REWRITINGS).flatMap(([rewriting, rewrite]) =>
    Object.entries(SIGNERS).map(([signer, sign]) => [`${rewriting}, ${signer}`, rewritten(rewrite, sign)]),
  ),
);
