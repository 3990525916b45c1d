import type { ApiClient } from '@plat/api-client';
import { type Bundle, encodeEntries, formatDisclosure, logPath, TILE_WIDTH } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import { Altered } from './altered';
import type { ExportFolder } from './export-folder';
import { type ExportedEntry, type Portion, portionsOf } from './export-source';
import { inOrder } from './in-order';
import { LogChecks } from './log-checks';
import { tenantOf } from './log-layout';
import type { VerifiedCheckpoint } from './signed-checkpoint';

const REQUESTS_AT_ONCE = 4;

/** A log that is written to a folder. */
export interface LogToWrite {
  api: ApiClient;
  folder: ExportFolder;
  checkpoint: VerifiedCheckpoint;
  /** Called with the number of entries that have been written so far. */
  advanced(entries: number, of: number): void;
  interrupted: AbortSignal;
}

/**
 * Writes the entries, their fields and the tiles, and checks them meanwhile.
 *
 * @returns how many entries were fetched
 * @throws Failure LOG_NOT_SOUND, EXPORT_ALTERED, ERASURE_NOT_SEALED
 */
export async function writeLog(writing: LogToWrite): Promise<number> {
  const { api, folder, checkpoint, interrupted } = writing;
  const { size } = checkpoint;
  const checks = new LogChecks(tenantOf(checkpoint.origin) ?? '');
  const withheld: Bundle[] = [];
  let fetched = 0;
  let kept = 0;
  try {
    for await (const portion of inOrder(portionsOf({ api, folder, size }), REQUESTS_AT_ONCE)) {
      interrupted.throwIfAborted();
      if (portion.isKept) kept += portion.entries.length;
      for (const { index, width } of bundlesOfPortion(portion, checks.size).filter(lacksFields)) {
        withheld.push({ index, width });
      }
      await writePortion(folder, { portion, checks });
      fetched += portion.isKept ? 0 : portion.entries.length;
      writing.advanced(checks.size, size);
    }
    for (const { hashes, ...tile } of checks.partialTiles()) {
      await folder.write(logPath({ kind: 'tile', ...tile }), hashes);
    }
    demandSigned(checks, checkpoint);
    const unexplained = checks.firstUnexplained();
    if (unexplained === undefined) return fetched;
    // The platform may show them the next time, and bundles that are in the folder are never fetched again.
    await folder.removeFields(withheld);
    throw erasureNotSealed(unexplained);
  } catch (error) {
    throw error instanceof Altered ? notSound(error, { folder, isAllFetched: kept === 0 }) : error;
  }
}

async function writePortion(
  folder: ExportFolder,
  { portion, checks }: { portion: Portion; checks: LogChecks },
): Promise<void> {
  const bundles = bundlesOfPortion(portion, checks.size);
  for (const entry of portion.entries) {
    for (const { hashes, ...tile } of checks.add(entry)) {
      await folder.write(logPath({ kind: 'tile', ...tile }), hashes);
    }
  }
  if (portion.isKept) return;
  await Promise.all(
    bundles.map(async ({ entries, ...bundle }) => {
      const start = bundle.index * TILE_WIDTH;
      const lines = entries.map(({ shown }, at) => `${formatDisclosure({ index: start + at, shown })}\n`);
      await folder.write(
        logPath({ kind: 'entries', ...bundle }),
        encodeEntries(entries.map(({ bytes }) => bytes)),
      );
      await folder.write(logPath({ kind: 'disclosed', ...bundle }), lines.join(''));
    }),
  );
}

interface BundleOfPortion extends Bundle {
  entries: readonly ExportedEntry[];
}

/** @param first the portion's first entry */
const bundlesOfPortion = ({ bundles, entries }: Portion, first: number): BundleOfPortion[] =>
  bundles.map(({ index, width }) => {
    const start = index * TILE_WIDTH - first;
    return { index, width, entries: entries.slice(start, start + width) };
  });

const lacksFields = ({ entries }: BundleOfPortion): boolean =>
  entries.some(({ shown }) => shown === undefined);

function demandSigned(checks: LogChecks, { rootHash, signedBy }: VerifiedCheckpoint): void {
  if (!checks.root()!.equals(rootHash)) {
    throw new Altered('The entries are not those that the checkpoint signs: they have another root.');
  }
  checks.demandKeys(signedBy);
}

const erasureNotSealed = (index: number): Failure =>
  new Failure(
    'ERASURE_NOT_SEALED',
    `The fields of entry ${index} are withheld, and no sealed entry says that they were erased.`,
    {
      details: { index },
      next: 'repeat the command in a minute; if the answer is the same then, the platform withholds what it has to show',
    },
  );

function notSound(
  { message, index }: Altered,
  { folder, isAllFetched }: { folder: ExportFolder; isAllFetched: boolean },
): Failure {
  if (isAllFetched) {
    return new Failure('LOG_NOT_SOUND', `The platform shows a log that is not sound: ${message}`, {
      details: { index },
      next: 'repeat the command; if it fails again, show this to the administrator of the platform',
    });
  }
  return new Failure(
    'EXPORT_ALTERED',
    `${folder.root} and the log of the platform do not fit together: ${message}`,
    {
      details: { index },
      next: 'export to a new folder, and keep this one to compare them',
    },
  );
}
