import type { ApiClient } from '@plat/api-client';
import { Malformed, SignatureRefused, type VerifierKey } from '@plat/ledger';
import { logKeys, type LogToOpen, verifyTenantCheckpoint } from '../sealed-log/platform-log';
import type { SignedCheckpoint, VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { type HeldCheckpoint, refDamaged } from './checkpoint-ref';
import { readRecordedKeys } from './recorded-keys';

/** The checkpoint that the ref holds, and the one that the platform shows. */
interface Held extends HeldCheckpoint {
  ref: string;
  shown: VerifiedCheckpoint;
}

/**
 * Verifies what the ref holds, by the trusted keys and by those that the shown log records.
 *
 * @throws Failure CHECKPOINT_REF_DAMAGED, LOG_ALTERED
 */
export async function openHeld(
  api: ApiClient,
  { pinned }: LogToOpen,
  { ref, note, shown }: Held,
): Promise<SignedCheckpoint> {
  const keys = await logKeys(api, pinned);
  const asNow = signedBy(note, keys);
  if (!(asNow instanceof SignatureRefused)) return heldOr(ref, asNow);
  // A log changes its keys, and the ref may be of the time before.
  return heldOr(ref, signedBy(note, [...keys, ...(await readRecordedKeys(api, shown))]));
}

function signedBy(
  note: string,
  keys: readonly VerifierKey[],
): SignedCheckpoint | Malformed | SignatureRefused {
  try {
    return verifyTenantCheckpoint(note, keys);
  } catch (error) {
    if (error instanceof Malformed || error instanceof SignatureRefused) return error;
    throw error;
  }
}

function heldOr(ref: string, held: SignedCheckpoint | Error): SignedCheckpoint {
  if (held instanceof Error) throw refDamaged(ref, held.message);
  return held;
}
