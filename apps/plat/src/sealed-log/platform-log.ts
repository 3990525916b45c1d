import { type ApiClient, getAuditLogCheckpoint } from '@plat/api-client';
import { isId } from '@plat/contracts/core';
import { Malformed, SignatureRefused, type VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { checkConsistent } from './checkpoint-memory';
import { tenantOf } from './log-layout';
import { asNothingSealed, platformKeys } from './platform-keys';
import { type VerifiedCheckpoint, verifyCheckpoint } from './signed-checkpoint';

/** How the log of a platform is opened. */
export interface LogToOpen {
  configFolder: string;
  /** Trusted keys; none: those that the platform names. */
  pinned: readonly VerifierKey[];
}

/**
 * The newest checkpoint of the caller's log: signed by a key, and consistent with what this client remembers.
 *
 * @throws Failure LOG_NOT_SIGNED, LOG_CONTRADICTS with exit code 3, NOTHING_SEALED
 * @throws ApiFault NOT_IMPLEMENTED without a log
 */
export async function openPlatformLog(api: ApiClient, { configFolder, pinned }: LogToOpen) {
  const keys = await logKeys(api, pinned);
  const { checkpoint: note } = await getAuditLogCheckpoint(api).catch(asNothingSealed);
  const checkpoint = openSigned(note, keys);
  await checkConsistent(configFolder, api, checkpoint);
  return checkpoint;
}

/** The pinned keys; those that the platform names, if none are. */
export async function logKeys(
  api: ApiClient,
  pinned: readonly VerifierKey[],
): Promise<readonly VerifierKey[]> {
  return pinned.length > 0 ? pinned : platformKeys(api);
}

/** @throws Failure LOG_NOT_SIGNED if it is no checkpoint of a tenant's log that one of the keys has signed */
export function openSigned(note: string, keys: readonly VerifierKey[]): VerifiedCheckpoint {
  try {
    return verifyTenantCheckpoint(note, keys);
  } catch (error) {
    if (!(error instanceof Malformed) && !(error instanceof SignatureRefused)) throw error;
    throw new Failure('LOG_NOT_SIGNED', printableLine(`The checkpoint does not hold: ${error.message}`), {
      next: 'do not trust this log; ask the administrator of the platform for its keys',
    });
  }
}

/** The checkpoint of a tenant's log that one of the keys has signed. @throws Malformed, SignatureRefused */
export function verifyTenantCheckpoint(note: string, keys: readonly VerifierKey[]): VerifiedCheckpoint {
  const checkpoint = verifyCheckpoint(note, keys);
  if (isId(tenantOf(checkpoint.origin) ?? '')) return checkpoint;
  throw new Malformed(`The log ${checkpoint.origin} is no tenant's.`);
}
