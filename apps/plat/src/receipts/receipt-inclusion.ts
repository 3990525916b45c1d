import type { MergeReceipt } from '@plat/api-client';
import {
  canonicalJson,
  HASH_BYTES,
  isCommitted,
  leafHash,
  parseBase64,
  parseLeaf,
  verifyInclusion,
} from '@plat/ledger';
import { Skipped, Undecided } from '../doctor/examination';
import { apiFailure } from '../failures/api-failure';
import { tenantOf } from '../sealed-log/log-layout';
import { openSigned } from '../sealed-log/platform-log';
import { readCheckpoint, type VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { Failure } from '../terminal/failure';
import type { LogAccess } from './log-access';
import { statementOf } from './receipt-statement';

type Inclusion = NonNullable<MergeReceipt['inclusion']>;

const ALARM = 'keep this receipt (--json), and ask the administrator of the platform what was sealed';

/**
 * Checks that the receipt's statement is in the tenant's sealed log.
 *
 * @throws Failure NOT_SEALED, LOG_NOT_SIGNED, LOG_CONTRADICTS
 * @throws Skipped, Undecided if the platform does not show what is needed
 */
export async function checkInclusion(receipt: MergeReceipt, access: LogAccess): Promise<string> {
  const { inclusion, tenantId } = receipt;
  if (inclusion === undefined) throw await absent(receipt, access);
  demandProof(receipt, inclusion);
  try {
    const checkpoint = openSigned(inclusion.checkpoint, await access.keys());
    await access.demandConsistent(checkpoint);
    return `entry ${inclusion.index} of ${checkpoint.size} in ${checkpoint.origin}`;
  } catch (error) {
    const refusal = notShown(error);
    if (refusal === undefined) throw error;
    const reason = `the proof holds, but the platform does not show the log that it is of: ${refusal.message}`;
    if (!(await access.knowsLogOf(tenantId))) throw new Skipped(`${reason} Give its key by --log-key.`);
    throw new Undecided(reason, { next: 'repeat the command with a role that may read the audit log' });
  }
}

const NOT_SHOWN: readonly string[] = ['FORBIDDEN', 'NOT_IMPLEMENTED', 'NOT_FOUND', 'NOTHING_SEALED'];

/** The platform's refusal to show a log; undefined for another error. */
function notShown(error: unknown): Failure | undefined {
  const failure = error instanceof Failure ? error : apiFailure(error);
  return failure && NOT_SHOWN.includes(failure.code) ? failure : undefined;
}

/** Longer than the platform takes to seal a landing. */
const UNSEALED_MILLISECONDS_MAX = 5 * 60_000;

/** A platform that seals this tenant's landings has no reason to leave one out. */
async function absent(
  { tenantId, reviewId, verifiedAt, contentJudgedAt = verifiedAt }: MergeReceipt,
  access: LogAccess,
): Promise<Error> {
  if (!(await access.knowsLogOf(tenantId))) {
    const checkpoint = await openIfShown(access);
    if (checkpoint instanceof Skipped) return checkpoint;
    const { origin } = checkpoint;
    if (tenantOf(origin) !== tenantId) {
      return notProven(`it has no proof, and your log is ${origin}, of another tenant`);
    }
  }
  const age = Date.now() - Date.parse(contentJudgedAt);
  // A time that is far in the future is no excuse either.
  if (Math.abs(age) <= UNSEALED_MILLISECONDS_MAX) return await judgeWaiting(reviewId, access);
  return new Failure(
    'NOT_SEALED',
    `the statement of ${contentJudgedAt} has no proof, although the tenant has a sealed log, which this client knows.`,
    { next: ALARM },
  );
}

/** A receipt may wait for its seal once, and not each time that this client looks. */
async function judgeWaiting(reviewId: string, access: LogAccess): Promise<Error> {
  const since = Date.now() - (await access.firstSeenWaiting(reviewId));
  if (since <= UNSEALED_MILLISECONDS_MAX) return new Skipped('it is not sealed yet');
  const minutes = Math.floor(since / 60_000);
  return new Undecided(`it is not sealed yet, as ${minutes} minutes ago, when this client looked.`, {
    next: 'repeat the command in five minutes; if it is not sealed then, ask the administrator of the platform',
  });
}

/** The platform's checkpoint, so that one which never shows a proof is found out; or why there is none to be had. */
async function openIfShown(access: LogAccess): Promise<VerifiedCheckpoint | Skipped> {
  try {
    return await access.open();
  } catch (error) {
    const refusal = notShown(error);
    if (refusal === undefined) throw error;
    const hint = refusal.code === 'FORBIDDEN' ? ' Give the key of the log by --log-key if there is one.' : '';
    return new Skipped(`the receipt has no proof, and the platform shows no log: ${refusal.message}${hint}`);
  }
}

/** @throws Failure NOT_SEALED if the entry is not this statement's, or not in the log that the checkpoint is of */
function demandProof(receipt: MergeReceipt, inclusion: Inclusion): void {
  const statement = statementOf(receipt);
  const { index, leaf: text, salt, hashes, checkpoint: note } = inclusion;
  const bytes = Buffer.from(text);
  const leaf = readable('entry', () => parseLeaf(bytes));
  const head = readable('checkpoint', () => readCheckpoint(note));
  const fields = readable('statement', () => canonicalJson(statement));
  if (leaf.kind !== 'landing' || leaf.id !== statement.reviewId) {
    throw notProven(`the entry is of the ${leaf.kind} ${leaf.id}`);
  }
  if (tenantOf(head.origin) !== statement.tenantId) {
    throw notProven(`the log is ${head.origin}, of another tenant`);
  }
  const saltBytes = parseBase64(salt);
  if (saltBytes === undefined || !isCommitted(leaf.open, { salt: saltBytes, fields })) {
    throw notProven('what was sealed is another statement');
  }
  const path = hashes.map((hash) => parseBase64(hash, HASH_BYTES) ?? Buffer.alloc(0));
  if (!verifyInclusion({ index, leafHash: leafHash(bytes), head }, path)) {
    throw notProven('the entry is not in the log of the checkpoint');
  }
}

function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw notProven(`the ${what} cannot be read: ${(error as Error).message}`);
  }
}

const notProven = (why: string): Failure =>
  new Failure('NOT_SEALED', `the receipt does not prove that it is sealed: ${why}.`, { next: ALARM });
