import type { ApiClient } from '@plat/api-client';
import { type BuiltTile, TILE_WIDTH } from '@plat/ledger';
import type { Failure } from '../terminal/failure';
import { Altered } from './altered';
import { erasureNotSealed, exportAltered, logNotSound } from './export-faults';
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

/**
 * Writes a log, and checks it meanwhile. A log that is not sound is written whole to a folder without an export, as
 * evidence; a folder that has one stays as it was.
 *
 * @returns how many entries were fetched
 * @throws Failure EXPORT_ALTERED, LOG_NOT_SOUND, ERASURE_NOT_SEALED
 */
export async function writeLog(writing: LogToWrite): Promise<number> {
  const { folder, checkpoint } = writing;
  const first = await new WritingLog(writing, new Set()).run();
  // The platform may show by now what the folder has as withheld.
  const isAgain = first.fault?.code === 'ERASURE_NOT_SEALED' && first.withheld.size > 0;
  const { fault, fetched } = isAgain ? await new WritingLog(writing, first.withheld).run() : first;
  if (fault === undefined || folder.former === undefined) await folder.finish(checkpoint);
  else await folder.rollBack(folder.former);
  if (fault) throw fault;
  return fetched;
}

interface WrittenLog {
  fetched: number;
  /** Why the log is not sound. */
  fault?: Failure;
  /** Indexes of the bundles that were read from the folder, and in which fields are withheld. */
  withheld: ReadonlySet<number>;
}

/** One go through the log. */
class WritingLog {
  private readonly checks: LogChecks;
  private readonly writer: LogWriter;
  private readonly withheld = new Set<number>();
  private fetched = 0;
  private fault: Failure | undefined;
  private keepsSome = false;

  /** @param lacking indexes of bundles that are fetched although the folder has them */
  constructor(
    private readonly writing: LogToWrite,
    private readonly lacking: ReadonlySet<number>,
  ) {
    const { checkpoint, folder } = writing;
    const watched = folder.former ? [folder.former.size] : [];
    this.checks = new LogChecks(tenantOf(checkpoint.origin) ?? '', watched);
    this.writer = new LogWriter(folder, checkpoint.origin);
  }

  async run(): Promise<WrittenLog> {
    const { folder, checkpoint } = this.writing;
    try {
      await this.takeAll();
      if (this.fault === undefined) this.checkWhole();
    } catch (error) {
      if (!(error instanceof Altered)) throw error;
      this.fault = logNotSound(error, folder);
    }
    const isWhole = this.checks.size === checkpoint.size;
    if (isWhole && (this.fault === undefined || folder.former === undefined)) {
      await this.writer.end(this.checks.partialTiles());
    }
    const unexplained = this.fault === undefined ? this.checks.firstUnexplained() : undefined;
    if (unexplained !== undefined) this.fault = erasureNotSealed(unexplained);
    return { fetched: this.fetched, fault: this.fault, withheld: this.withheld };
  }

  /** @throws Altered if the platform does not show all entries; Failure EXPORT_ALTERED */
  private async takeAll(): Promise<void> {
    const { api, folder, checkpoint, recheck, interrupted } = this.writing;
    const { size } = checkpoint;
    const portions = portionsOf({ api, folder, size, recheck, lacking: this.lacking });
    for await (const portion of inOrder(portions, REQUESTS_AT_ONCE)) {
      interrupted.throwIfAborted();
      await this.take(portion);
      if (this.fault !== undefined && folder.former !== undefined) return;
      this.writing.advanced(this.checks.size, size);
    }
  }

  private async take(portion: Portion): Promise<void> {
    const first = this.checks.size;
    const tiles: BuiltTile[] = [];
    for (const entry of portion.entries) {
      if (this.fault === undefined) this.judge(portion.from, () => this.checks.check(entry));
      tiles.push(...this.checks.append(entry));
    }
    if (portion.from === 'platform') this.fetched += portion.entries.length;
    this.keepsSome ||= portion.isKept;
    if (this.fault === undefined) this.judge(portion.from, () => this.demandFormer(first));
    if (this.fault !== undefined && this.writing.folder.former !== undefined) return;
    const bundles = bundlesOfPortion(portion, first);
    if (!portion.isKept) return this.writer.write(bundles, tiles);
    // Those that the platform withholds are not fetched once more, and must not replace what the folder has.
    if (portion.from === 'folder') {
      for (const { index } of bundles.filter(lacksFields)) this.withheld.add(index);
    }
    return this.writer.keep(tiles);
  }

  /** A fault of the folder ends the export at once; of the platform's, the first is kept. */
  private judge(from: Portion['from'], check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Altered)) throw error;
      const { folder } = this.writing;
      if (from === 'folder') throw exportAltered(error, folder);
      this.fault = logNotSound(error, folder);
    }
  }

  /** Demands that the entries that the folder has are those of its checkpoint, before anything is written over it. */
  private demandFormer(first: number): void {
    const { folder, recheck } = this.writing;
    const { former } = folder;
    const isReached = former !== undefined && first < former.size && this.checks.size >= former.size;
    if (!isReached || !this.keepsSome || this.checks.root(former.size)?.equals(former.rootHash)) return;
    const altered = new Altered(`The first ${former.size} entries are not those that its checkpoint signs.`);
    throw recheck ? altered : exportAltered(altered, folder);
  }

  /** Checks a log as a whole, once each entry holds. @throws Altered; Failure EXPORT_ALTERED */
  private checkWhole(): void {
    const { checkpoint, folder } = this.writing;
    if (!this.checks.root()!.equals(checkpoint.rootHash)) {
      const altered = new Altered(
        'The entries are not those that the checkpoint signs: they have another root.',
      );
      // No one has signed the remains of a killed export.
      throw this.keepsSome && folder.former === undefined ? exportAltered(altered, folder) : altered;
    }
    this.checks.demandKeys(checkpoint.signedBy);
  }
}

/** @param first the portion's first entry */
const bundlesOfPortion = ({ bundles, entries }: Portion, first: number): FilledBundle[] =>
  bundles.map(({ index, width }) => {
    const start = index * TILE_WIDTH - first;
    return { index, width, entries: entries.slice(start, start + width) };
  });

const lacksFields = ({ entries }: FilledBundle): boolean => entries.some(({ shown }) => shown === undefined);
