import { type ApiClient, getAuditLogTile, listAuditLogEntries } from '@plat/api-client';
import {
  HASH_BYTES,
  inclusionProof,
  isCommitted,
  type Leaf,
  leafHash,
  type LeafKind,
  parseBase64,
  parseLeaf,
  type TileReader,
  verifyInclusion,
} from '@plat/ledger';
import type { VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';

const PAGE_SIZE = '1024';

/** An entry whose place in the log and whose commitment have been checked. */
export interface ProvenEntry {
  index: number;
  leaf: Leaf;
  fields: string | undefined;
}

/** A log of the platform, of which tiles are read once. */
export interface Log {
  api: ApiClient;
  checkpoint: VerifiedCheckpoint;
  read: TileReader;
}

export const logOf = (api: ApiClient, checkpoint: VerifiedCheckpoint): Log => ({
  api,
  checkpoint,
  read: tileReader(api),
});

/**
 * Reads the entries of a kind, in their order, and proves that each is in the log of the checkpoint.
 *
 * @throws Failure LOG_ALTERED
 */
export async function proveEntries(log: Log, kind: LeafKind): Promise<ProvenEntry[]> {
  const found: ProvenEntry[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const query = { from: `${from}`, limit: PAGE_SIZE, kind };
    const page = await listAuditLogEntries(log.api, { query });
    for (const entry of page.entries) {
      if (entry.index < from || entry.index <= (found.at(-1)?.index ?? -1)) {
        throw altered(entry.index, 'the platform lists it out of its order');
      }
      // The log may have grown since its checkpoint was read.
      if (entry.index < log.checkpoint.size) found.push(await proveEntry(log, entry, kind));
    }
    if (page.nextFrom !== undefined && (page.entries.length === 0 || page.nextFrom <= from)) {
      throw altered(from, 'the listing does not go on');
    }
    from = page.nextFrom !== undefined && page.nextFrom < log.checkpoint.size ? page.nextFrom : undefined;
  }
  return found;
}

type Listed = Awaited<ReturnType<typeof listAuditLogEntries>>['entries'][number];

async function proveEntry({ checkpoint, read }: Log, listed: Listed, kind: LeafKind): Promise<ProvenEntry> {
  const { index, leaf: text, salt, fields } = listed;
  const { size } = checkpoint;
  const bytes = Buffer.from(text);
  const leaf = readLeaf(bytes, index);
  if (leaf.kind !== kind) throw altered(index, `it is no ${kind}`);
  const hashes = await inclusionProof({ index, size }, read).catch((error: unknown) => {
    throw error instanceof RangeError ? altered(index, error.message) : error;
  });
  if (!verifyInclusion({ index, leafHash: leafHash(bytes), head: checkpoint }, hashes)) {
    throw altered(index, 'the platform does not prove that it is in the log');
  }
  const isErased = salt === undefined && fields === undefined;
  const saltBytes = parseBase64(salt ?? '');
  const isHeld = fields !== undefined && saltBytes && isCommitted(leaf.open, { salt: saltBytes, fields });
  if (!isErased && !isHeld) throw altered(index, 'its fields are not those that were sealed');
  return { index, leaf, fields };
}

function readLeaf(bytes: Buffer, index: number): Leaf {
  try {
    return parseLeaf(bytes);
  } catch (error) {
    throw altered(index, (error as Error).message);
  }
}

/** Reads tiles of the platform, each once. What it answers counts only by the proofs that are made of it. */
function tileReader(api: ApiClient): TileReader {
  const tiles = new Map<string, Promise<Buffer>>();
  const readTile = async (level: number, index: number, width: number) => {
    const query = { level: `${level}`, index: `${index}`, width: `${width}` };
    const { hashes } = await getAuditLogTile(api, { query });
    return parseBase64(hashes, width * HASH_BYTES) ?? Buffer.alloc(0);
  };
  return (wanted) =>
    Promise.all(
      wanted.map(({ level, index, width }) => {
        const place = `${level}/${index}/${width}`;
        const tile = tiles.get(place) ?? readTile(level, index, width);
        tiles.set(place, tile);
        return tile;
      }),
    );
}

/** The failure of an entry that does not hold. */
export const altered = (index: number, why: string): Failure =>
  new Failure('LOG_ALTERED', printableLine(`Entry ${index} of the sealed log does not hold: ${why}.`), {
    details: { index },
    next: 'do not trust this log; ask the administrator of the platform, and keep an export: plat audit export <folder>',
  });
