import { Injectable } from '@nestjs/common';
import type {
  AuditLogCheckpoint,
  AuditLogEntryPage,
  AuditLogEntryQuery,
  AuditLogKeySet,
  AuditLogTile,
  AuditLogTileQuery,
} from '@plat/contracts/audit';
import { ApiError, notFound } from '@plat/contracts/core';
import { Database, type TenantScope } from '@plat/database';
import {
  formatVerifierKey,
  HASH_BYTES,
  parseCheckpoint,
  parseNote,
  TILE_WIDTH,
  verifierKeyOf,
} from '@plat/ledger';
import type { Caller } from '@plat/service';
import { LedgerKeys } from '../sealing/ledger-keys';
import { findLog, findTile, listEntries, type LogRow } from './audit-log.queries';
import { toEntry } from './audit-log.response';
import { queryNumber } from './query-number';

const ENTRIES_DEFAULT = 256;
const ENTRIES_MAX = 1024;
const LEVEL_MAX = 7;

/** Reads the sealed log of the caller's tenant, up to the size that is signed. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly database: Database,
    private readonly ledgerKeys: LedgerKeys,
  ) {}

  /** @throws NOT_IMPLEMENTED, NOT_FOUND if nothing is signed yet */
  async checkpoint(caller: Caller): Promise<AuditLogCheckpoint> {
    const { origin, note, sealed_at: sealedAt } = await this.log(caller);
    const { size, rootHash } = parseCheckpoint(parseNote(note).text);
    return { origin, size, rootHash: Buffer.from(rootHash).toString('base64'), checkpoint: note, sealedAt };
  }

  /**
   * Lists the keys that sign the log, and the former ones. It leaves out a key of this service that has no entry in the
   * log yet, because no client could verify with it.
   *
   * @throws NOT_IMPLEMENTED, NOT_FOUND if nothing is signed yet
   */
  async keys(scope: TenantScope): Promise<AuditLogKeySet> {
    const { origin, keys, note_keys: signing } = await this.log(scope);
    const former = keys.filter((key) => !signing.some((other) => other.equals(key))).reverse();
    const shown = (key: Buffer, signs: boolean) => ({
      verifierKey: formatVerifierKey(verifierKeyOf(origin, key)),
      publicKey: key.toString('base64'),
      signs,
    });
    return {
      origin,
      keys: [...signing.map((key) => shown(key, true)), ...former.map((key) => shown(key, false))],
    };
  }

  /** @throws INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND if nothing is signed yet */
  async entries(caller: Caller, { from, limit, kind }: AuditLogEntryQuery): Promise<AuditLogEntryPage> {
    const first = queryNumber('from', from, { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 });
    const asked = queryNumber('limit', limit, {
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
      otherwise: ENTRIES_DEFAULT,
    });
    await this.log(caller);
    const page = Math.min(asked, ENTRIES_MAX);
    const rows = await listEntries(this.database, caller, { from: first, kind, rows: page + 1 });
    const next = rows[page];
    return {
      entries: rows.slice(0, page).map(toEntry),
      nextFrom: next === undefined ? undefined : Number(next.leaf_index),
    };
  }

  /** @throws INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND if the signed log has fewer hashes there */
  async tile(caller: Caller, query: AuditLogTileQuery): Promise<AuditLogTile> {
    const level = queryNumber('level', query.level, { least: 0, most: LEVEL_MAX });
    const index = queryNumber('index', query.index, { least: 0, most: Number.MAX_SAFE_INTEGER });
    const width = queryNumber('width', query.width, { least: 1, most: TILE_WIDTH, otherwise: TILE_WIDTH });
    const { size } = await this.log(caller);
    const there = Math.floor(Number(size) / TILE_WIDTH ** level) - index * TILE_WIDTH;
    if (there < width) throw notFound('tile');
    const [tile] = await findTile(this.database, caller, { level, index });
    if (tile === undefined) throw notFound('tile');
    return { hashes: tile.hashes.subarray(0, width * HASH_BYTES).toString('base64') };
  }

  private async log(scope: TenantScope): Promise<LogRow> {
    this.ledgerKeys.expectSome();
    const [log] = await findLog(this.database, scope);
    if (log !== undefined) return log;
    throw new ApiError('NOT_FOUND', { message: 'Nothing is sealed yet; that takes a minute at most.' });
  }
}
