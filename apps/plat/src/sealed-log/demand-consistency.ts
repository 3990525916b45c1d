import { type ApiClient, getAuditLogConsistencyProof } from '@plat/api-client';
import { HASH_BYTES, parseBase64, verifyConsistency } from '@plat/ledger';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { headText, type SignedCheckpoint } from './signed-checkpoint';

/** Two checkpoints of one log. */
export interface TwoViews {
  /** The checkpoint that was verified before. */
  remembered: SignedCheckpoint;
  shown: SignedCheckpoint;
  /** Where it was kept; unless given, this client has verified it. */
  keeper?: Keeper;
}

/** A place that keeps a checkpoint. */
export interface Keeper {
  /** The beginning of a sentence: `<the place> holds`. */
  holds: string;
  /** How the place takes another log, for a person who knows why the log has changed. */
  accept: NextStep;
}

/**
 * Demands the platform's proof that the larger of two checkpoints continues the smaller one.
 *
 * @throws Failure LOG_CONTRADICTS with exit code 3 if there is no such proof
 */
export async function demandConsistency(api: ApiClient, views: TwoViews): Promise<void> {
  const { remembered, shown } = views;
  const [from, to] = remembered.size <= shown.size ? [remembered, shown] : [shown, remembered];
  const isProven = from.size > 0 && from.size < to.size;
  const proof = isProven ? await readProof(api, from.size, to.size) : [];
  if (proof === undefined || !verifyConsistency({ from, to }, proof)) throw contradiction(views);
}

/** @returns undefined if the platform refuses to prove it, or what it answers is no proof */
async function readProof(api: ApiClient, from: number, to: number): Promise<Buffer[] | undefined> {
  try {
    const { hashes } = await getAuditLogConsistencyProof(api, { query: { from: `${from}`, to: `${to}` } });
    const proof = hashes.map((hash) => parseBase64(hash, HASH_BYTES));
    return proof.every((hash) => hash !== undefined) ? proof : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The platform says by these that its log has no entries up to a size, although a key of the log has signed that size. */
function isRefusal(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'ApiFault' && (code === 'INVALID_QUERY' || code === 'NOT_FOUND');
}

function contradiction({ remembered, shown, keeper }: TwoViews): Failure {
  const { holds = 'this client has verified', accept } = keeper ?? {};
  const ask = nextStep(
    'keep both checkpoints (--json shows them), and ask the administrator of the platform how the log was changed',
  );
  return new Failure(
    'LOG_CONTRADICTS',
    `The sealed log ${shown.origin} contradicts itself: ${holds} ${headText(remembered)}, ` +
      `this client is now shown ${headText(shown)}, and the platform does not prove that one continues the other.`,
    {
      exitCode: ExitCode.contradicts,
      details: { origin: shown.origin, remembered: remembered.note, shown: shown.note },
      next: accept === undefined ? ask : nextStep(ask, ';', accept),
    },
  );
}
