import type { LeafKind } from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';

/** A tenant's log as it is signed. */
export interface LogRow {
  origin: string;
  size: string;
  note: string;
  /** The keys that have signed the note. Each has an entry: nothing is signed by another. */
  note_keys: Buffer[];
  /** Every key that has an entry, oldest first. */
  keys: Buffer[];
  sealed_at: string;
}

/** An entry; salt and fields are null if they were erased. */
export interface EntryRow {
  leaf_index: string;
  leaf: string;
  salt: Buffer | null;
  fields: string | null;
}

/** An entry, with the tiles of its proof in the tree of a size. */
export interface ProvenEntryRow extends EntryRow {
  size: string;
  /** Null if the size was named. */
  note: string | null;
  levels: number[];
  tile_indexes: string[];
  /** Bytes of each tile. */
  lengths: number[];
  /** The hashes of all tiles. */
  tiles: Buffer;
}

export interface TileRow {
  level: number;
  tile_index: string;
  hashes: Buffer;
}

/** The entry that a proof is about: by one of its names. */
export interface WantedEntry {
  index?: number;
  auditEventId?: string;
  reviewId?: string;
  /** Undefined: the signed size. */
  size?: number;
}

/** No row while nothing is signed. */
export function findLog(database: Database, scope: TenantScope): Promise<LogRow[]> {
  return database.find(scope, { name: 'ledger.get_log', args: [] });
}

export function listEntries(
  database: Database,
  scope: TenantScope,
  { from, kind, rows }: { from: number; kind: LeafKind | undefined; rows: number },
): Promise<EntryRow[]> {
  return database.page(scope, { name: 'ledger.page_entries', args: [from, kind ?? null, rows] });
}

export function findTile(
  database: Database,
  scope: TenantScope,
  { level, index }: { level: number; index: number },
): Promise<{ hashes: Buffer }[]> {
  return database.find(scope, { name: 'ledger.get_tile', args: [level, index] });
}

export function findProvenEntry(
  database: Database,
  scope: TenantScope,
  { index, auditEventId, reviewId, size }: WantedEntry,
): Promise<ProvenEntryRow[]> {
  const args = [index, auditEventId, reviewId, size].map((value) => value ?? null);
  return database.find(scope, { name: 'ledger.prove_entry', args });
}

/** The tiles of proofs about an entry in the tree of a size. */
export function listTilesOnPath(
  database: Database,
  scope: TenantScope,
  { leaf, size }: { leaf: number; size: number },
): Promise<TileRow[]> {
  return database.find(scope, { name: 'ledger.tiles_on_path', args: [leaf, size] });
}
