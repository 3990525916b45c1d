import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '@plat/contracts/core';
import { formatVerifierKey } from '@plat/ledger';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { fieldLines } from '../terminal/field-lines';
import { nextStep } from '../terminal/next-step';
import { readRememberedCheckpoint } from './checkpoint-memory';
import { readKnown } from './known-checkpoints';
import { folderOnDisk } from './log-folder';
import { readKeys } from './log-keys';
import { CHECKPOINT, isUnderWay } from './log-layout';
import { type Judgement, verifyLog } from './verify-log';

/** The result of `plat audit verify`. */
export interface VerifiedExport {
  /**
   * SOUND: every check holds. ALTERED: one does not. CONTRADICTS: every check holds, and the log is not the one of which a
   * checkpoint was known.
   */
  outcome: Judgement['outcome'];
  /** The first entry that is concerned, if it is known. */
  index?: number;
  /** Why it is not SOUND, in one sentence. */
  reason?: string;
  /** The origin of the log, if it is not ALTERED. */
  origin?: string;
  size?: number;
  /** How many of the entries have lost their fields by an erasure, which the log records. */
  erased?: number;
  /** Base64. */
  rootHash?: string;
  /** The given keys that have signed it. */
  signedBy?: string[];
  /** How many entries this client has seen the log with, if the export has fewer. */
  seenSize?: number;
}

export interface ExportToVerify {
  folder: string;
  /** Values of `--key`: who may sign the exported checkpoint. */
  keys: readonly string[];
  /** Files with known checkpoints, of these keys or of those that the log records. */
  known: readonly string[];
  /** Holds what this client remembers of logs; need not be there. */
  configFolder: string;
}

/**
 * Checks an exported log by its files alone, and by what this client remembers of the log, if it does.
 *
 * @throws Failure NO_SUCH_FOLDER, NOT_AN_EXPORT, EXPORT_UNFINISHED, KEY_NOT_READABLE, KNOWN_NOT_READABLE,
 *   KNOWN_NOT_SIGNED, KNOWN_OF_ANOTHER_LOG, CHECKPOINT_MEMORY_DAMAGED
 */
export async function verifyExport(asked: ExportToVerify): Promise<VerifiedExport> {
  const keys = readKeys(asked.keys);
  const known = asked.known.map(readKnown);
  await demandExport(asked.folder);
  const remembered = (origin: string) => readRememberedCheckpoint(asked.configFolder, origin);
  const judgement = await verifyLog(folderOnDisk(asked.folder), { keys, known, remembered });
  if (judgement.outcome === 'ALTERED') return judgement;
  const { origin, size, rootHash, signedBy } = judgement.checkpoint;
  return {
    outcome: judgement.outcome,
    reason: judgement.outcome === 'CONTRADICTS' ? judgement.reason : undefined,
    origin,
    size,
    erased: judgement.erased,
    rootHash: Buffer.from(rootHash).toString('base64'),
    signedBy: signedBy.map(formatVerifierKey),
    seenSize: judgement.newer?.size,
  };
}

/** The exit code of each outcome. */
export const OUTCOME_CODES = {
  SOUND: ExitCode.ok,
  ALTERED: ExitCode.failed,
  CONTRADICTS: ExitCode.contradicts,
} as const;

/** The result for a person. */
export const verifiedText = ({ signedBy, ...facts }: VerifiedExport): string =>
  fieldLines(defined({ ...facts, signedBy: signedBy?.join(', ') }), new Date());

/** Lists what a person should know about a log that is judged. */
export const verifiedNotes = ({ size, seenSize }: VerifiedExport): string[] =>
  seenSize === undefined
    ? []
    : [
        `The export is older than what this client has seen: it has ${size} entries of ${seenSize}, and what came after is not in it.`,
      ];

/** @throws Failure NO_SUCH_FOLDER, EXPORT_UNFINISHED, NOT_AN_EXPORT */
export async function demandExport(folder: string): Promise<void> {
  const isThere = (path: string) => stat(path).catch(() => undefined);
  const next = nextStep('give the folder that plat audit export has written');
  if (!(await isThere(folder))?.isDirectory()) {
    throw new Failure('NO_SUCH_FOLDER', `There is no folder ${folder}.`, { next });
  }
  if ((await readdir(folder)).some(isUnderWay)) {
    throw new Failure('EXPORT_UNFINISHED', `The export to ${folder} has not come to its end.`, {
      next: nextStep(['plat', 'audit', 'export', folder]),
    });
  }
  const parts = await Promise.all([CHECKPOINT, 'tile'].map((name) => isThere(join(folder, name))));
  if (parts.every((part) => part === undefined)) {
    throw new Failure('NOT_AN_EXPORT', `${folder} is not the export of a log.`, { next });
  }
}
