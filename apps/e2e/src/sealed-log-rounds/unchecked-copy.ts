import {
  type ApiClient,
  type AuditLogEntryPage,
  getAuditLogCheckpoint,
  getAuditLogTile,
  listAuditLogEntries,
} from '@plat/api-client';
import { bundlesOf, encodeEntries, formatDisclosure, logPath, TILE_WIDTH, tilesOf } from '@plat/ledger';
import type { LogFiles } from '@plat/testing';

type Entry = AuditLogEntryPage['entries'][number];

/**
 * The log that the platform shows, in the layout of an export, as a program copies it that checks nothing: whatever is
 * wrong with it is left to the one who verifies it.
 */
export async function copyUnchecked(api: ApiClient): Promise<LogFiles> {
  const { size, checkpoint } = await getAuditLogCheckpoint(api);
  const entries = await allEntries(api);
  const files: LogFiles = new Map();
  for (const bundle of bundlesOf(size)) {
    const start = bundle.index * TILE_WIDTH;
    const part = entries.slice(start, start + bundle.width);
    const lines = part.map(({ salt, fields }, at) => {
      const shown =
        salt === undefined || fields === undefined
          ? undefined
          : { salt: Buffer.from(salt, 'base64'), fields };
      return `${formatDisclosure({ index: start + at, shown })}\n`;
    });
    files.set(
      logPath({ kind: 'entries', ...bundle }),
      encodeEntries(part.map(({ leaf }) => Buffer.from(leaf))),
    );
    files.set(logPath({ kind: 'disclosed', ...bundle }), Buffer.from(lines.join('')));
  }
  for (const tile of tilesOf(size)) {
    const hashes = await readTile(api, tile);
    if (hashes) files.set(logPath({ kind: 'tile', ...tile }), hashes);
  }
  return files.set('checkpoint', Buffer.from(checkpoint));
}

async function allEntries(api: ApiClient): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: AuditLogEntryPage = await listAuditLogEntries(api, {
      query: { from: `${from}`, limit: '1024' },
    });
    entries.push(...page.entries);
    from = page.nextFrom;
  }
  return entries;
}

/** @returns undefined if the platform says that it has no such tile */
async function readTile(
  api: ApiClient,
  tile: { level: number; index: number; width: number },
): Promise<Buffer | undefined> {
  const query = { level: `${tile.level}`, index: `${tile.index}`, width: `${tile.width}` };
  try {
    return Buffer.from((await getAuditLogTile(api, { query })).hashes, 'base64');
  } catch (error) {
    if ((error as { code?: string }).code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
