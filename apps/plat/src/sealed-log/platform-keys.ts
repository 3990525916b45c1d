import { type ApiClient, listAuditLogKeys } from '@plat/api-client';
import type { VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import { parsedKey } from './log-keys';

/** The keys of the caller's log as the platform shows them. @throws Failure KEY_NOT_READABLE */
export async function platformKeys(api: ApiClient): Promise<VerifierKey[]> {
  const { keys } = await listAuditLogKeys(api);
  return keys.map(({ verifierKey }) => {
    const key = parsedKey(verifierKey);
    if (key instanceof Error) {
      throw new Failure(
        'KEY_NOT_READABLE',
        `The platform shows a key of its log that is none: ${key.message}`,
        {
          next: 'give --key a key of the log that you trust',
        },
      );
    }
    return key;
  });
}
