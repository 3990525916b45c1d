import { Injectable } from '@nestjs/common';
import type {
  AuditLogConsistencyProof,
  AuditLogConsistencyProofQuery,
  AuditLogInclusionProof,
  AuditLogInclusionProofQuery,
} from '@plat/contracts/audit';
import { ApiError, notFound } from '@plat/contracts/core';
import { Database } from '@plat/database';
import { consistencyProof, inclusionProof, packedTileReader, type TileReader } from '@plat/ledger';
import type { Caller } from '@plat/service';
import { LedgerKeys } from '../sealing/ledger-keys';
import { findLog, findProvenEntry, listTilesOnPath, type TileRow } from './audit-log.queries';
import { toEntry } from './audit-log.response';
import { queryNumber } from './query-number';

const INDEX = { least: 0, most: Number.MAX_SAFE_INTEGER };
const SIZE = { least: 1, most: Number.MAX_SAFE_INTEGER };

/** Proves what is in the sealed log of the caller's tenant, with one statement for each proof. */
@Injectable()
export class LogProofService {
  constructor(
    private readonly database: Database,
    private readonly ledgerKeys: LedgerKeys,
  ) {}

  /** @throws INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND if the entry is not in the tree of that size, or that is not signed */
  async inclusion(caller: Caller, query: AuditLogInclusionProofQuery): Promise<AuditLogInclusionProof> {
    const { auditEventId, reviewId } = query;
    const names = [query.index, auditEventId, reviewId].filter((name) => name !== undefined);
    if (names.length !== 1) {
      throw new ApiError('INVALID_QUERY', {
        message: 'Exactly one of index, auditEventId and reviewId must be given.',
        details: { field: 'index' },
      });
    }
    const index = query.index === undefined ? undefined : queryNumber('index', query.index, INDEX);
    const size = query.size === undefined ? undefined : queryNumber('size', query.size, SIZE);
    this.ledgerKeys.expectSome();
    const [row] = await findProvenEntry(this.database, caller, { index, auditEventId, reviewId, size });
    if (row === undefined) throw notFound('entry');
    const { levels, tile_indexes: indexes, lengths, tiles } = row;
    const read = packedTileReader({ levels, indexes, lengths, hashes: tiles });
    const entry = toEntry(row);
    const treeSize = Number(row.size);
    const hashes = await inclusionProof({ index: entry.index, size: treeSize }, read);
    return { ...entry, size: treeSize, hashes: hashes.map(toBase64), checkpoint: row.note ?? undefined };
  }

  /** @throws INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND if a size is larger than the signed one */
  async consistency(caller: Caller, query: AuditLogConsistencyProofQuery): Promise<AuditLogConsistencyProof> {
    const from = queryNumber('from', query.from, SIZE);
    const asked = query.to === undefined ? undefined : queryNumber('to', query.to, { ...SIZE, least: from });
    this.ledgerKeys.expectSome();
    const [log] = await findLog(this.database, caller);
    const signed = Number(log?.size ?? 0);
    const to = asked ?? signed;
    if (log === undefined || to > signed || from > to) throw notFound('log of that size');
    const tiles = await listTilesOnPath(this.database, caller, { leaf: from - 1, size: to });
    const hashes = await consistencyProof({ from, to }, readerOf(tiles));
    return { from, to, hashes: hashes.map(toBase64) };
  }
}

/** Reads tiles from rows that are fetched already. */
function readerOf(rows: readonly TileRow[]): TileReader {
  return async (tiles) =>
    tiles.map(({ level, index }) => {
      const found = rows.find((row) => row.level === level && Number(row.tile_index) === index);
      if (found === undefined) throw new Error(`tile ${level}/${index} of a log is missing`);
      return found.hashes;
    });
}

const toBase64 = (hash: Buffer): string => hash.toString('base64');
