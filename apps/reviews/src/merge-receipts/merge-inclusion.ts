import type { MergeInclusion, MergeStatement } from '@plat/contracts/reviews';
import { canonicalJson, inclusionProof, packedTileReader } from '@plat/ledger';
import type { ProvenLandingRow } from './merge-receipt.queries';

/**
 * Proves that a statement is an entry of the sealed log.
 *
 * @returns undefined if the entry is not of this statement: a later verdict has replaced it and is not sealed yet
 */
export async function toInclusion(
  row: ProvenLandingRow,
  statement: MergeStatement,
): Promise<MergeInclusion | undefined> {
  const { leaf, salt, fields, note: checkpoint, levels, lengths } = row;
  if (salt === null || checkpoint === null || fields !== canonicalJson(statement)) return undefined;
  const index = Number(row.leaf_index);
  const read = packedTileReader({ levels, indexes: row.tile_indexes, lengths, hashes: row.tiles });
  const hashes = await inclusionProof({ index, size: Number(row.size) }, read);
  return {
    index,
    leaf,
    salt: salt.toString('base64'),
    hashes: hashes.map((hash) => hash.toString('base64')),
    checkpoint,
  };
}
