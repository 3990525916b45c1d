import type { MergeInclusion, MergeStatement } from '@plat/contracts/reviews';
import { canonicalJson, inclusionProof, type TileReader } from '@plat/ledger';
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
  const { leaf, salt, fields, note: checkpoint } = row;
  if (salt === null || checkpoint === null || fields !== canonicalJson(statement)) return undefined;
  const index = Number(row.leaf_index);
  const hashes = await inclusionProof({ index, size: Number(row.size) }, readerOf(row));
  return {
    index,
    leaf,
    salt: salt.toString('base64'),
    hashes: hashes.map((hash) => hash.toString('base64')),
    checkpoint,
  };
}

function readerOf({ levels, tile_indexes: indexes, tiles }: ProvenLandingRow): TileReader {
  return async (wanted) =>
    wanted.map(({ level, index }) => {
      const at = levels.findIndex((other, place) => other === level && Number(indexes[place]) === index);
      if (at < 0) throw new Error(`tile ${level}/${index} of a log is missing`);
      return tiles[at]!;
    });
}
