import { type ApiClient, getAuditLogCheckpoint } from '@plat/api-client';
import { encodeEntries, formatDisclosure, logPath, TILE_WIDTH, type VerifierKey } from '@plat/ledger';
import { withFileLock } from '../config/file-lock';
import { Failure } from '../terminal/failure';
import { Altered } from './altered';
import { checkConsistent } from './checkpoint-memory';
import { demandConsistency } from './demand-consistency';
import { ExportFolder } from './export-folder';
import { type Portion, portionsOf } from './export-source';
import { inOrder } from './in-order';
import { LogChecks } from './log-checks';
import { readKeys } from './log-keys';
import { tenantOf } from './log-layout';
import { platformKeys } from './platform-keys';
import { type VerifiedCheckpoint, verifyCheckpoint } from './signed-checkpoint';

const REQUESTS_AT_ONCE = 4;

export interface ExportOrder {
  configFolder: string;
  folder: string;
  /** Values of `--key`; none: the keys of the platform. */
  keys: readonly string[];
  /** Called with the number of entries that have been written so far. */
  advanced(entries: number, of: number): void;
}

/** The result of `plat audit export`. */
export interface ExportedLog {
  folder: string;
  origin: string;
  /** Entries of the log. */
  size: number;
  /** Base64. */
  rootHash: string;
  /** Entries that were fetched; the folder had the others. */
  fetched: number;
}

/**
 * Exports the caller's log, and checks it meanwhile as `plat audit verify` does. A folder with an export of it is brought
 * up to date.
 *
 * @throws Failure FOLDER_NOT_USABLE, FOLDER_NOT_AN_EXPORT, FOLDER_OF_ANOTHER_LOG, KEY_NOT_READABLE, NOTHING_SEALED,
 *   CHECKPOINT_NOT_SIGNED, LOG_CONTRADICTS, LOG_NOT_SOUND, EXPORT_ALTERED, ERASURE_NOT_SEALED, LOCKED
 */
export async function exportLog(api: ApiClient, order: ExportOrder): Promise<ExportedLog> {
  const pinned = await readKeys(order.keys);
  const opened = await ExportFolder.open(order.folder);
  return withFileLock(opened.lockPath, async () => {
    // Another export may have worked in it while this one waited.
    const folder = await ExportFolder.open(order.folder);
    const checkpoint = await readSigned(api, pinned.length > 0 ? pinned : await platformKeys(api));
    await demandSameLog(api, { folder, checkpoint });
    await checkConsistent(order.configFolder, api, checkpoint);
    await folder.begin(checkpoint.origin);
    const fetched = await writeLog(api, { order, folder, checkpoint });
    await folder.finish(checkpoint);
    const { origin, size, rootHash } = checkpoint;
    return {
      folder: order.folder,
      origin,
      size,
      rootHash: Buffer.from(rootHash).toString('base64'),
      fetched,
    };
  });
}

async function readSigned(api: ApiClient, keys: readonly VerifierKey[]): Promise<VerifiedCheckpoint> {
  const { checkpoint } = await getAuditLogCheckpoint(api).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'NOT_FOUND') throw error;
    throw new Failure('NOTHING_SEALED', 'No entry of your log is sealed yet.', {
      next: 'repeat the command in a minute',
    });
  });
  try {
    return verifyCheckpoint(checkpoint, keys);
  } catch (error) {
    const text = `The platform shows a checkpoint that does not count: ${(error as Error).message}`;
    throw new Failure('CHECKPOINT_NOT_SIGNED', text, {
      details: { checkpoint },
      next: 'ask the administrator of the platform for the keys of your log, and pin them by --key',
    });
  }
}

interface ExportState {
  folder: ExportFolder;
  checkpoint: VerifiedCheckpoint;
}

async function demandSameLog(api: ApiClient, { folder, checkpoint }: ExportState): Promise<void> {
  if (folder.origin !== undefined && folder.origin !== checkpoint.origin) {
    throw new Failure(
      'FOLDER_OF_ANOTHER_LOG',
      `${folder.root} has an export of ${folder.origin}; your log is ${checkpoint.origin}.`,
      {
        details: { folder: folder.origin, log: checkpoint.origin },
        next: 'name another folder, or another --alias',
      },
    );
  }
  if (folder.former) await demandConsistency(api, { remembered: folder.former, shown: checkpoint });
  if (folder.former && folder.former.size > checkpoint.size) {
    throw new Failure(
      'EXPORT_IS_NEWER',
      `${folder.root} has ${folder.former.size} entries; the platform shows only ${checkpoint.size}.`,
      {
        details: { folder: folder.former.size, shown: checkpoint.size },
        next: 'repeat the command in a minute; keep the folder, and ask the administrator why the log is smaller than it was',
      },
    );
  }
}

/** @returns how many entries were fetched */
async function writeLog(
  api: ApiClient,
  { order, folder, checkpoint }: ExportState & { order: ExportOrder },
): Promise<number> {
  const { size } = checkpoint;
  const checks = new LogChecks(tenantOf(checkpoint.origin) ?? '');
  let fetched = 0;
  let kept = 0;
  try {
    for await (const portion of inOrder(portionsOf({ api, folder, size }), REQUESTS_AT_ONCE)) {
      if (portion.isKept) kept += portion.entries.length;
      await writePortion(folder, { portion, checks });
      fetched += portion.isKept ? 0 : portion.entries.length;
      order.advanced(checks.size, size);
    }
    for (const { hashes, ...tile } of checks.partialTiles()) {
      await folder.write(logPath({ kind: 'tile', ...tile }), hashes);
    }
    demandWhole(checks, checkpoint);
    return fetched;
  } catch (error) {
    throw error instanceof Altered ? notSound(error, { order, isAllFetched: kept === 0 }) : error;
  }
}

async function writePortion(
  folder: ExportFolder,
  { portion, checks }: { portion: Portion; checks: LogChecks },
): Promise<void> {
  const first = checks.size;
  for (const entry of portion.entries) {
    for (const { hashes, ...tile } of checks.add(entry)) {
      await folder.write(logPath({ kind: 'tile', ...tile }), hashes);
    }
  }
  if (portion.isKept) return;
  await Promise.all(
    portion.bundles.map(async ({ index, width }) => {
      const start = index * TILE_WIDTH;
      const entries = portion.entries.slice(start - first, start - first + width);
      const lines = entries.map(({ shown }, at) => `${formatDisclosure({ index: start + at, shown })}\n`);
      const bundle = { index, width };
      await folder.write(
        logPath({ kind: 'entries', ...bundle }),
        encodeEntries(entries.map(({ bytes }) => bytes)),
      );
      await folder.write(logPath({ kind: 'disclosed', ...bundle }), lines.join(''));
    }),
  );
}

function demandWhole(checks: LogChecks, { rootHash, signedBy }: VerifiedCheckpoint): void {
  if (!checks.root()!.equals(rootHash)) {
    throw new Altered('The entries are not those that the checkpoint signs: they have another root.');
  }
  checks.demandKeys(signedBy);
  const unexplained = checks.firstUnexplained();
  if (unexplained === undefined) return;
  throw new Failure(
    'ERASURE_NOT_SEALED',
    `The fields of entry ${unexplained} are withheld, and no sealed entry says that they were erased.`,
    {
      details: { index: unexplained },
      next: 'repeat the command in a minute; if the answer is the same then, the platform withholds what it has to show',
    },
  );
}

function notSound(
  { message, index }: Altered,
  { order, isAllFetched }: { order: ExportOrder; isAllFetched: boolean },
): Failure {
  if (isAllFetched) {
    return new Failure('LOG_NOT_SOUND', `The platform shows a log that is not sound: ${message}`, {
      details: { index },
      next: 'repeat the command; if it fails again, show this to the administrator of the platform',
    });
  }
  return new Failure(
    'EXPORT_ALTERED',
    `${order.folder} and the log of the platform do not fit together: ${message}`,
    {
      details: { index },
      next: 'export to a new folder, and keep this one to compare them',
    },
  );
}
