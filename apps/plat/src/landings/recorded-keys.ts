import type { ApiClient } from '@plat/api-client';
import { type VerifierKey, verifierKeyOf } from '@plat/ledger';
import { Altered } from '../sealed-log/altered';
import { readFields, recordedKey } from '../sealed-log/disclosed-fields';
import type { VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { altered, logOf, proveEntries } from './proven-entries';

/**
 * The keys that a log records, each by an entry that is proven to be in the log of the checkpoint, which a trusted key has
 * signed. They say what was signed in former times; none of them may sign the log that is shown now.
 *
 * @throws Failure LOG_ALTERED
 */
export async function readRecordedKeys(
  api: ApiClient,
  checkpoint: VerifiedCheckpoint,
): Promise<VerifierKey[]> {
  const entries = await proveEntries(logOf(api, checkpoint), 'key');
  return entries.map(({ index, fields = '' }) => {
    try {
      const publicKey = recordedKey(readFields(fields, index), index);
      return verifierKeyOf(checkpoint.origin, Buffer.from(publicKey, 'base64'));
    } catch (error) {
      throw error instanceof Altered ? altered(index, 'it records no key') : error;
    }
  });
}
