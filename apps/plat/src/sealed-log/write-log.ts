import type { ApiClient } from '@plat/api-client';
import { type BuiltTile, type Bundle, TILE_WIDTH } from '@plat/ledger';
import type { Failure } from '../terminal/failure';
import { Altered } from './altered';
import { erasureNotSealed, exportAltered, logNotSound, noLongerSound } from './export-faults';
import type { ExportFolder } from './export-folder';
import { type Portion, portionsOf } from './export-source';
import { inOrder } from './in-order';
import { LogChecks } from './log-checks';
import { tenantOf } from './log-layout';
import { type FilledBundle, LogWriter } from './log-writer';
import type { VerifiedCheckpoint } from './signed-checkpoint';

const REQUESTS_AT_ONCE = 4;

/** A log that is written to a folder. */
export interface LogToWrite {
  api: ApiClient;
  folder: ExportFolder;
  checkpoint: VerifiedCheckpoint;
  /** Asks the platform for the entries that the folder has, too, and checks what it shows. */
  recheck: boolean;
  /** Called with the number of entries that have been written so far. */
  advanced(entries: number, of: number): void;
  interrupted: AbortSignal;
}

/** What was written, all of it. */
export interface WrittenLog {
  /** Entries that were fetched. */
  fetched: number;
  /** Why the log is not sound: LOG_NOT_SOUND, ERASURE_NOT_SEALED. What the platform shows is written all the same, as evidence. */
  fault?: Failure;
}

/**
 * Writes the entries, their fields and the tiles, and checks them meanwhile.
 *
 * @throws Failure EXPORT_ALTERED, LOG_NOT_SOUND: the folder was not touched, unless a killed export had left it unfinished
 */
export async function writeLog(writing: LogToWrite): Promise<WrittenLog> {
  const written = await new WritingLog(writing).run();
  if (written.unexplained.length === 0) return written;
  // What the folder has as withheld may be shown by now.
  await writing.folder.begin(writing.checkpoint.origin);
  await writing.folder.removeFields(written.unexplained);
  return writeLog(writing);
}

/** One go through the log. */
class WritingLog {
  private readonly checks: LogChecks;
  private readonly writer: LogWriter;
  private fetched = 0;
  private fault: Failure | undefined;
  /** Bundles that the folder has, and in which fields are withheld. */
  private readonly withheld: Bundle[] = [];
  private keepsSome = false;

  constructor(private readonly writing: LogToWrite) {
    const { checkpoint, folder } = writing;
    const watched = folder.former ? [folder.former.size] : [];
    this.checks = new LogChecks(tenantOf(checkpoint.origin) ?? '', watched);
    this.writer = new LogWriter(folder, checkpoint.origin);
  }

  async run(): Promise<WrittenLog & { unexplained: readonly Bundle[] }> {
    const { api, folder, checkpoint, recheck, interrupted } = this.writing;
    const { size } = checkpoint;
    for await (const portion of inOrder(portionsOf({ api, folder, size, recheck }), REQUESTS_AT_ONCE)) {
      interrupted.throwIfAborted();
      await this.take(portion);
      this.writing.advanced(this.checks.size, size);
    }
    this.fault ??= this.faultOfWhole();
    const unexplained = this.fault === undefined ? this.checks.firstUnexplained() : undefined;
    if (unexplained !== undefined && this.withheld.length > 0) {
      return { fetched: this.fetched, unexplained: this.withheld };
    }
    await this.writer.end(this.checks.partialTiles());
    const fault = unexplained === undefined ? this.fault : erasureNotSealed(unexplained);
    return { fetched: this.fetched, fault, unexplained: [] };
  }

  private async take(portion: Portion): Promise<void> {
    const first = this.checks.size;
    const tiles: BuiltTile[] = [];
    for (const entry of portion.entries) {
      if (this.fault === undefined) this.judge(portion, () => this.checks.check(entry));
      tiles.push(...this.checks.append(entry));
    }
    const bundles = bundlesOfPortion(portion, first);
    if (portion.from === 'platform') this.fetched += portion.entries.length;
    this.keepsSome ||= portion.isKept;
    this.demandFormer(first);
    if (!portion.isKept) return this.writer.write(bundles, tiles);
    this.withheld.push(...bundles.filter(lacksFields).map(({ index, width }) => ({ index, width })));
    return this.writer.keep(tiles);
  }

  /** Checks entries. A fault of the folder ends the export; one of the platform is kept until all is written. */
  private judge({ from, isKept }: Pick<Portion, 'from' | 'isKept'>, check: () => void): void {
    const { root } = this.writing.folder;
    try {
      check();
    } catch (error) {
      if (!(error instanceof Altered)) throw error;
      if (from === 'folder') throw exportAltered(error, root);
      if (isKept) throw noLongerSound(error, root);
      this.fault = logNotSound(error, root);
    }
  }

  /** Demands that the entries that the folder has are those of its checkpoint, before anything is written over it. */
  private demandFormer(first: number): void {
    const { folder, recheck } = this.writing;
    const { former, root } = folder;
    const isReached = former !== undefined && first < former.size && this.checks.size >= former.size;
    if (!isReached || !this.keepsSome || this.fault !== undefined) return;
    if (this.checks.root(former.size)?.equals(former.rootHash)) return;
    const altered = new Altered(`The first ${former.size} entries are not those that its checkpoint signs.`);
    throw recheck ? noLongerSound(altered, root) : exportAltered(altered, root);
  }

  /** What is wrong with the log although each entry holds. */
  private faultOfWhole(): Failure | undefined {
    const { checkpoint, folder } = this.writing;
    const isFormerSound = folder.former !== undefined || !this.keepsSome;
    try {
      if (!this.checks.root()!.equals(checkpoint.rootHash)) {
        throw new Altered('The entries are not those that the checkpoint signs: they have another root.');
      }
      this.checks.demandKeys(checkpoint.signedBy);
      return undefined;
    } catch (error) {
      if (!(error instanceof Altered)) throw error;
      if (!isFormerSound) throw exportAltered(error, folder.root);
      return logNotSound(error, folder.root);
    }
  }
}

/** @param first the portion's first entry */
const bundlesOfPortion = ({ bundles, entries }: Portion, first: number): FilledBundle[] =>
  bundles.map(({ index, width }) => {
    const start = index * TILE_WIDTH - first;
    return { index, width, entries: entries.slice(start, start + width) };
  });

const lacksFields = ({ entries }: FilledBundle): boolean => entries.some(({ shown }) => shown === undefined);
