import { type ApiClient, listAuditLogKeys } from '@plat/api-client';
import type { VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import { parsedKey } from './log-keys';

/** The keys of the caller's log as the platform shows them. @throws Failure KEY_NOT_READABLE, NOTHING_SEALED */
export async function platformKeys(api: ApiClient): Promise<VerifierKey[]> {
  const { keys } = await listAuditLogKeys(api).catch(asNothingSealed);
  // A key that has signed in former times, and may have leaked since, does not count for what is shown now.
  const signing = keys.filter(({ signs }) => signs);
  return signing.map(({ verifierKey }) => {
    const key = parsedKey(verifierKey);
    if (key instanceof Error) {
      const text = `The platform shows a key of its log that is none: ${key.message}`;
      throw new Failure('KEY_NOT_READABLE', text, { next: 'give --key a key of the log that you trust' });
    }
    return key;
  });
}

/** The failure of a read of the log: before its first entry a log has neither keys nor a checkpoint. */
export function asNothingSealed(error: unknown): never {
  const { name, code } = error as { name?: string; code?: string };
  if (name !== 'ApiFault' || code !== 'NOT_FOUND') throw error;
  throw new Failure('NOTHING_SEALED', 'No entry of your log is sealed yet.', {
    next: 'repeat the command in a minute',
  });
}
