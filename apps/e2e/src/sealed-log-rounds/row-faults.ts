import type { Fault } from './faults';
import { read, sealRest } from './history';
import type { Findings } from './judgement';
import { readSealedRows, run, type SealedRow } from './rewriting';
import type { Round } from './round';
import { erasePerson, land } from './rows';

/** Every observer finds what is shown and does not fit its entry. */
const SHOWN: Findings = { key: 'ALTERED', known: 'ALTERED', client: 1, operator: true };
/** No route shows the hidden fields or their salts, so that only the operator can check them. */
const HIDDEN: Findings = { key: 'SOUND', known: 'SOUND', client: 0, operator: true };

const OPEN_EDITS = [
  `external_user_id = 'someone else'`,
  `external_issuer_id = 'https://other.example'`,
  `external_org_id = 'another'`,
  `erun_user_id = gen_random_uuid()`,
  `cli_command = 'drive'`,
];
const HIDDEN_EDITS = [
  `api_parameters = '{"reason": "another"}'`,
  `mcp_tool_parameters = '{}'`,
  `cli_parameters = '[]'`,
  `request_id = 'another'`,
  `caller_request_id = 'another'`,
];
const NEW_SALT = 'uuid_send(gen_random_uuid())';
const EVENT = 'audit.audit_events WHERE tenant_id = $1 AND audit_event_id = $2';
const SALTS = 'ledger.entries SET %s WHERE tenant_id = $1 AND leaf_index = $2';

/** A copy of a row, of an hour before and as of a transaction that was sealed long ago. */
const putIn = (id: string): string => `
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
    external_org_id, type, api_method, api_path, mcp_tool, created_at, written_in)
  SELECT tenant_id, ${id}, request_id, erun_user_id, 'someone else', external_issuer_id, external_org_id, type, api_method,
         api_path, mcp_tool, created_at - interval '1 hour', '3' FROM ${EVENT}`;

const toRow = (alter: (round: Round, row: SealedRow) => Promise<unknown>, found: Findings): Fault => ({
  alter: async (round) => void (await alter(round, round.random.pick(await readSealedRows(round)))),
  found,
  goesOn: true,
});

const edit = (round: Round, set: string, { id }: SealedRow) =>
  run(round, `UPDATE ${EVENT.replace(' WHERE', ` SET ${set} WHERE`)}`, id);
const salt = (round: Round, set: string, { index }: SealedRow) =>
  run(round, `UPDATE ${SALTS.replace('%s', set)}`, index);

/** A fault of a landing or an erasure, which is sealed and read first. */
const after = (happens: (round: Round) => Promise<void>, sql: string, found: Findings): Fault => ({
  alter: async (round) => {
    await happens(round);
    await sealRest(round);
    await read(round);
    await run(round, sql);
  },
  found,
});
const landed = (round: Round) => land(round.stand, true);
const erased = (round: Round) => erasePerson(round.stand);

/** The faults by which sealed rows no longer say what was sealed. */
export const ROW_FAULTS: Readonly<Record<string, Fault>> = {
  'a shown field edited': toRow((round, row) => edit(round, round.random.pick(OPEN_EDITS), row), SHOWN),
  'a hidden field edited': toRow((round, row) => edit(round, round.random.pick(HIDDEN_EDITS), row), HIDDEN),
  'a row put in as an old one': toRow((round, { id }) => run(round, putIn('gen_random_uuid()'), id), HIDDEN),
  'a row put in under the id of a sealed one': toRow((round, { id }) => run(round, putIn('$2'), id), HIDDEN),
  'a row deleted': toRow((round, { id }) => run(round, `DELETE FROM ${EVENT}`, id), SHOWN),
  'a salt edited': toRow((round, row) => salt(round, `open_salt = ${NEW_SALT}`, row), SHOWN),
  'a hidden salt edited': toRow((round, row) => salt(round, `closed_salt = ${NEW_SALT}`, row), HIDDEN),
  'salts removed without a word': toRow(
    (round, row) => salt(round, 'open_salt = NULL, closed_salt = NULL', row),
    SHOWN,
  ),
  'a landing edited': after(
    landed,
    `UPDATE reviews.verifications SET target_tip = '${'d'.repeat(40)}' WHERE tenant_id = $1`,
    SHOWN,
  ),
  'a hidden field of a landing edited': after(
    landed,
    `UPDATE reviews.verifications SET repository = 'https://git.example/other' WHERE tenant_id = $1`,
    HIDDEN,
  ),
  'a later verdict edited': after(
    landed,
    `UPDATE reviews.later_contents SET content_reason = 'too_large' WHERE tenant_id = $1`,
    SHOWN,
  ),
  'a landing deleted': after(landed, 'DELETE FROM reviews.verifications WHERE tenant_id = $1', SHOWN),
  'an erasure that names more': after(
    erased,
    `UPDATE ledger.erasures SET entries = entries + '{[0,1)}' WHERE tenant_id = $1`,
    { ...SHOWN, operator: false },
  ),
  'an erasure deleted': after(erased, 'DELETE FROM ledger.erasures WHERE tenant_id = $1', SHOWN),
};
