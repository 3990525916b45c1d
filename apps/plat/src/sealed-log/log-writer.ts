import {
  type BuiltTile,
  type Bundle,
  encodeEntries,
  formatDisclosure,
  logPath,
  TILE_WIDTH,
} from '@plat/ledger';
import type { ExportFolder } from './export-folder';
import type { ExportedEntry } from './export-source';

/** A bundle with its entries. */
export interface FilledBundle extends Bundle {
  entries: readonly ExportedEntry[];
}

/**
 * Writes a log to a folder. Until something new is written, the export that is in the folder stays as it is: a fault in
 * what the folder has, or in what is fetched first, leaves it to whoever looks into it.
 */
export class LogWriter {
  private hasBegun = false;
  /** Tiles that the folder lacks although it has their bundles. */
  private readonly lacking: BuiltTile[] = [];

  constructor(
    private readonly folder: ExportFolder,
    private readonly origin: string,
  ) {}

  /** Goes past bundles that the folder has. @param tiles those that these bundles complete */
  async keep(tiles: readonly BuiltTile[]): Promise<void> {
    for (const tile of tiles) {
      const content = await this.folder.read(logPath({ kind: 'tile', ...tile }));
      if (!content?.equals(tile.hashes)) this.lacking.push(tile);
    }
  }

  /** Writes bundles, and the tiles that they complete. */
  async write(bundles: readonly FilledBundle[], tiles: readonly BuiltTile[]): Promise<void> {
    await this.begin();
    await this.writeTiles(tiles);
    await Promise.all(bundles.map((bundle) => this.writeBundle(bundle)));
  }

  /** Writes the tiles that the last entries left unfinished. */
  async end(partialTiles: readonly BuiltTile[]): Promise<void> {
    await this.begin();
    await this.writeTiles(partialTiles);
  }

  private async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    await this.folder.begin(this.origin);
    await this.writeTiles(this.lacking);
  }

  private async writeTiles(tiles: readonly BuiltTile[]): Promise<void> {
    for (const { hashes, ...tile } of tiles) {
      await this.folder.write(logPath({ kind: 'tile', ...tile }), hashes);
    }
  }

  private async writeBundle({ entries, ...bundle }: FilledBundle): Promise<void> {
    const start = bundle.index * TILE_WIDTH;
    const lines = entries.map(({ shown }, at) => `${formatDisclosure({ index: start + at, shown })}\n`);
    const bytes = encodeEntries(entries.map((entry) => entry.bytes));
    await this.folder.write(logPath({ kind: 'entries', ...bundle }), bytes);
    await this.folder.write(logPath({ kind: 'disclosed', ...bundle }), lines.join(''));
  }
}
