import { parseLeaf, type VerifierKey } from '@plat/ledger';
import { rememberedCheckpoint } from '../sealed-log/checkpoint-memory';
import { folderOnDisk, type LogFolder } from '../sealed-log/log-folder';
import { CHECKPOINT } from '../sealed-log/log-layout';
import { readCheckpoint, type SignedCheckpoint } from '../sealed-log/signed-checkpoint';
import { type Trusted, verifyLog } from '../sealed-log/verify-log';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { type LandingEntry, type SealedLandings, sealedLandings } from './sealed-landing';

/** An exported log. */
export interface ExportedLog {
  /** Of an export. */
  folder: string;
  /** Trusted keys. */
  keys: readonly VerifierKey[];
  configFolder: string;
  interrupted: AbortSignal;
}

/**
 * Verifies an exported log as a whole, also against what this client remembers of it, and reads its landings.
 *
 * @throws Failure LOG_ALTERED, LOG_CONTRADICTS with exit code 3, EXPORT_OUTDATED
 */
export async function exportedLandings({
  folder,
  keys,
  configFolder,
  interrupted,
}: ExportedLog): Promise<SealedLandings> {
  const files = folderOnDisk(folder);
  const note = await files.read(CHECKPOINT);
  const known = note === undefined ? [] : await remembered(note, { folder, configFolder });
  // The checkpoint that was compared, also if the file is another one by now.
  const read = (path: string) => (path === CHECKPOINT ? Promise.resolve(note) : files.read(path));
  return verifiedLandings({ ...files, read }, { keys, known, interrupted });
}

/** The landings of a log, as they were when it was verified. @throws Failure LOG_ALTERED, LOG_CONTRADICTS with exit code 3 */
export async function verifiedLandings(
  files: LogFolder,
  { interrupted, ...trusted }: Trusted & { interrupted?: AbortSignal },
): Promise<SealedLandings> {
  const found: LandingEntry[] = [];
  const judgement = await verifyLog(files, trusted, ({ bytes, shown }, index) => {
    interrupted?.throwIfAborted();
    if (!bytes.includes(LANDING)) return;
    const { kind, id } = parseLeaf(bytes);
    if (kind === 'landing') found.push({ index, reviewId: id, fields: shown?.fields });
  });
  if (judgement.outcome !== 'SOUND') {
    const { outcome, reason } = judgement;
    const isAltered = outcome === 'ALTERED';
    throw new Failure(isAltered ? 'LOG_ALTERED' : 'LOG_CONTRADICTS', printableLine(reason), {
      exitCode: isAltered ? ExitCode.failed : ExitCode.contradicts,
      details: { index: isAltered ? judgement.index : undefined },
      next: 'do not trust this log; keep the folder, and ask the administrator of the platform',
    });
  }
  return sealedLandings(judgement.checkpoint, found);
}

/** In the bytes of each landing's entry, so that the other entries need not be parsed once more. */
const LANDING = '"landing"';

/** What this client remembers of the log that the folder claims to be. */
async function remembered(
  note: Buffer,
  { folder, configFolder }: Pick<ExportedLog, 'folder' | 'configFolder'>,
): Promise<SignedCheckpoint[]> {
  const claimed = claimedBy(note);
  const known = claimed && (await rememberedCheckpoint(configFolder, claimed.origin));
  if (claimed === undefined || known === undefined) return [];
  if (claimed.size < known.size) {
    throw new Failure(
      'EXPORT_OUTDATED',
      `The export has ${claimed.size} entries; this client has seen the log with ${known.size}.`,
      {
        details: { size: claimed.size, remembered: known.size },
        next: `bring the folder up to date: ${shellQuote(['plat', 'audit', 'export', folder])}`,
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
