import type { ApiClient } from '@plat/api-client';
import { EntryRanges } from '@plat/ledger';
import type { VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { altered, logOf, proveEntries, type ProvenEntry } from './proven-entries';
import { type SealedLandings, sealedLandings } from './sealed-landing';

/**
 * Reads the landings of the platform's log, and proves that each is in the log of the checkpoint. That none is withheld
 * only an export shows, which has all entries.
 *
 * @throws Failure LOG_ALTERED
 */
export async function platformLandings(
  api: ApiClient,
  checkpoint: VerifiedCheckpoint,
): Promise<SealedLandings> {
  const log = logOf(api, checkpoint);
  const landings = await proveEntries(log, 'landing');
  if (landings.some(({ fields }) => fields === undefined)) {
    const erasures = await proveEntries(log, 'erasure');
    for (const { index, fields } of landings) {
      if (fields === undefined && !erasures.some((erasure) => erases(erasure, index))) {
        throw altered(index, 'its fields are withheld, and no erasure names it');
      }
    }
  }
  const entries = landings.map(({ index, leaf, fields }) => ({ index, reviewId: leaf.id, fields }));
  return sealedLandings(checkpoint, entries);
}

function erases({ index: at, fields }: ProvenEntry, index: number): boolean {
  try {
    const { entries } = JSON.parse(fields ?? '{}') as { entries: string };
    return index < at && EntryRanges.parse(entries).includes(index);
  } catch {
    return false;
  }
}
