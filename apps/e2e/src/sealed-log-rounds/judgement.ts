import { LEDGER_INVARIANTS } from '@plat/invariants';
import { parseVerifierKey } from '@plat/ledger';
import { type LogFolder, verifyCheckpoint, verifyExport, verifyLog } from '@plat/plat/sealed-log';
import type { LogFiles } from '@plat/testing';
import { type Reader, type Round, verifierKey } from './round';
import { copyUnchecked } from './unchecked-copy';

/** The findings of each observer of a log. */
export interface Findings {
  /** `plat audit verify` with the newest key alone: an observer who knows nothing else. */
  key: 'SOUND' | 'ALTERED';
  /** `plat audit verify` with every key that has signed and the checkpoints that were kept. */
  known: 'SOUND' | 'ALTERED' | 'CONTRADICTS';
  /** The exit code of `plat audit export` to a new folder by a client that remembers the log. */
  client: 0 | 1 | 3;
  /** Whether `npm run invariants` names something. */
  operator: boolean;
}

/** The findings about a log in which nothing was altered. */
export const NOTHING: Findings = { key: 'SOUND', known: 'SOUND', client: 0, operator: false };

/** Someone who has read a log before. */
export interface Witness {
  /** Signed checkpoints that were kept. */
  known: readonly string[];
  /** The client that has read it. */
  reader: Reader;
}

/** Has each observer look at the log that the platform shows now. */
export async function judge(round: Round, { known, reader }: Witness): Promise<Findings> {
  const operator = await isNamedByInvariants(round);
  const folder = folderOf(await copyUnchecked(round.reader.api));
  const all = round.keys.map((key) => parseVerifierKey(verifierKey(key)));
  const [newest] = all.slice(-1);
  const checkpoints = known.map((note) => verifyCheckpoint(note, all));
  const byKey = await verifyLog(folder, { keys: [newest!], known: [] });
  const byKnown = await verifyLog(folder, { keys: all, known: checkpoints });
  const client = await round.export(reader).then(() => 0 as const, exitCodeOf);
  return { key: byKey.outcome as Findings['key'], known: byKnown.outcome, client, operator };
}

const folderOf = (files: LogFiles): LogFolder => ({
  paths: () => files.keys(),
  read: (path) => Promise.resolve(files.get(path)),
});

/** A failure that the client shows to a person; any other error is a defect. */
function exitCodeOf(error: unknown): 1 | 3 {
  const { name, exitCode } = error as { name?: string; exitCode?: 1 | 3 };
  if (name === 'Failure' && exitCode !== undefined) return exitCode;
  throw error;
}

async function isNamedByInvariants({ stand }: Round): Promise<boolean> {
  for (const { sql, args } of LEDGER_INVARIANTS) {
    const { rowCount } = await stand.forced.query(`SELECT FROM (${sql}) AS v LIMIT 1`, args);
    if (rowCount! > 0) return true;
  }
  return false;
}

/** Lists the faults, in words, of an export of a log to which nothing but the product was done. */
export async function faultsOfExport(round: Round, folder: string): Promise<string[]> {
  const keys = round.signing.map(verifierKey);
  const { configFolder } = round.reader;
  const { outcome, reason, signedBy } = await verifyExport({ folder, keys, known: [], configFolder });
  return [
    ...(outcome === 'SOUND' ? [] : [`the export is ${outcome}: ${reason}`]),
    ...(keys.every((key) => signedBy?.includes(key)) ? [] : ['not each key of the service has signed']),
  ];
}
