import { isCommitted, parseLeaf } from '@plat/ledger';
import { rememberedCheckpoint } from '../sealed-log/checkpoint-memory';
import { folderOnDisk, type LogFolder } from '../sealed-log/log-folder';
import { readKeys } from '../sealed-log/log-keys';
import { CHECKPOINT } from '../sealed-log/log-layout';
import { readBundles } from '../sealed-log/read-bundles';
import { readCheckpoint, type SignedCheckpoint } from '../sealed-log/signed-checkpoint';
import { demandExport } from '../sealed-log/verify-export';
import { verifyLog } from '../sealed-log/verify-log';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { type LandingEntry, type SealedLandings, sealedLandings } from './sealed-landing';

/** An exported log. */
export interface ExportedLog {
  folder: string;
  /** Trusted keys, as texts or files. */
  keys: readonly string[];
  configFolder: string;
}

/**
 * Verifies an exported log as a whole, also against what this client remembers of it, and reads its landings.
 *
 * @throws Failure LOG_ALTERED, LOG_CONTRADICTS with exit code 3, and those of `plat audit verify`
 */
export async function exportedLandings({ folder, keys, configFolder }: ExportedLog): Promise<SealedLandings> {
  const trusted = await readKeys(keys);
  await demandExport(folder);
  const files = folderOnDisk(folder);
  const known = await remembered(files, configFolder);
  const judgement = await verifyLog(files, { keys: trusted, known });
  if (judgement.outcome !== 'SOUND') {
    const { outcome, reason } = judgement;
    const isAltered = outcome === 'ALTERED';
    throw new Failure(isAltered ? 'LOG_ALTERED' : 'LOG_CONTRADICTS', printableLine(reason), {
      exitCode: isAltered ? ExitCode.failed : ExitCode.contradicts,
      details: { folder, index: isAltered ? judgement.index : undefined },
      next: 'do not trust this log; keep the folder, and ask the administrator of the platform',
    });
  }
  return sealedLandings(judgement.checkpoint, await landingsIn(files, judgement.checkpoint.size));
}

/** What this client remembers of the log that the folder claims to be. */
async function remembered(files: LogFolder, configFolder: string): Promise<SignedCheckpoint[]> {
  const note = await files.read(CHECKPOINT);
  if (note === undefined) return [];
  const claimed = claimedBy(note);
  const known = claimed && (await rememberedCheckpoint(configFolder, claimed.origin));
  if (claimed === undefined || known === undefined) return [];
  if (claimed.size < known.size) {
    throw new Failure(
      'EXPORT_OUTDATED',
      `The export has ${claimed.size} entries; this client has seen the log with ${known.size}.`,
      {
        details: { size: claimed.size, remembered: known.size },
        next: 'bring the folder up to date: plat audit export <folder>',
      },
    );
  }
  return [known];
}

function claimedBy(note: Buffer): SignedCheckpoint | undefined {
  try {
    return readCheckpoint(note);
  } catch {
    // The verification says what is wrong with it.
    return undefined;
  }
}

async function landingsIn(files: LogFolder, size: number): Promise<LandingEntry[]> {
  const found: LandingEntry[] = [];
  let index = 0;
  for await (const { bytes, shown } of readBundles(files, size)) {
    const leaf = parseLeaf(bytes);
    if (leaf.kind === 'landing') {
      // The files are read for the second time, and may have been changed in between.
      const isHeld = shown === undefined || isCommitted(leaf.open, shown);
      if (!isHeld) throw new Failure('LOG_ALTERED', `Entry ${index} was changed while it was read.`);
      found.push({ index, reviewId: leaf.id, fields: shown?.fields });
    }
    index += 1;
  }
  return found;
}
