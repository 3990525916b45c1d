import { parseLeaf, type VerifierKey } from '@plat/ledger';
import { readRememberedCheckpoint } from '../sealed-log/checkpoint-memory';
import { folderOnDisk, type LogFolder } from '../sealed-log/log-folder';
import type { SignedCheckpoint } from '../sealed-log/signed-checkpoint';
import { type Trusted, verifyLog } from '../sealed-log/verify-log';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { type LandingEntry, type SealedLandings, sealedLandings } from './sealed-landing';

/** An exported log. */
export interface ExportedLog {
  /** The folder of an export. */
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
export async function readExportedLandings({
  folder,
  keys,
  configFolder,
  interrupted,
}: ExportedLog): Promise<SealedLandings> {
  const remembered = (origin: string) => readRememberedCheckpoint(configFolder, origin);
  return verifyLandings(folderOnDisk(folder), { keys, known: [], remembered, interrupted, folder });
}

/** The landings of a log, as they were when it was verified. @throws Failure LOG_ALTERED, LOG_CONTRADICTS with exit code 3, EXPORT_OUTDATED */
export async function verifyLandings(
  files: LogFolder,
  { interrupted, folder, ...trusted }: Trusted & { interrupted?: AbortSignal; folder?: string },
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
  if (judgement.newer) throw outdated(judgement.checkpoint, { newer: judgement.newer, folder });
  return sealedLandings(judgement.checkpoint, found);
}

/** In the bytes of each landing's entry, so that the other entries need not be parsed once more. */
const LANDING = '"landing"';

/** A landing that the export lacks would look like a commit without a receipt. */
const outdated = (
  { size }: SignedCheckpoint,
  { newer, folder = '<folder>' }: { newer: SignedCheckpoint; folder?: string | undefined },
): Failure =>
  new Failure(
    'EXPORT_OUTDATED',
    `The export is sound and has ${size} entries, but this client has seen the log with ${newer.size}: ` +
      'landings that were sealed since are not in it.',
    {
      details: { size, remembered: newer.size },
      next: nextStep(
        ['plat', 'audit', 'export', folder],
        ', which adds what is new, then repeat the command',
      ),
    },
  );
