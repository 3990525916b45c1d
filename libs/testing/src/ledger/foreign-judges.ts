import { join } from 'node:path';
import { peer } from '../peers/peer';
import { execFile } from '../starter/child-process';

/** How a program ended. */
export interface JudgeEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** The judgements of third-party programs on an exported log: each `sound`, or why it refuses the log. */
export interface ForeignJudgement {
  go: string;
  tessera: string;
}

/** Tessera's checker waits for its readers for ever if more of them fail than it has started. */
const FSCK_MS = 60_000;

/** Runs a program, without stdin unless there is an input: one that reads none may end before its input is written. */
export function runJudge(program: string, args: readonly string[], input?: string): Promise<JudgeEnd> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: FSCK_MS }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    if (input !== undefined) child.stdin!.end(input);
  });
}

/**
 * Judges an exported log by the packages of Go's checksum database and by Tessera's checker.
 *
 * @param folder has the log in `log`, and a key that signs it in the file `key`
 * @param keys all that sign it, as verifiers take them
 */
export async function judgeFolder(folder: string, keys: readonly string[]): Promise<ForeignJudgement> {
  const fsck = ['-storage_url', `file://${folder}/log`, '-public_key', join(folder, 'key'), '-ui=false'];
  const [go, tessera] = await Promise.all([
    runJudge(peer('log-judge'), ['folder', join(folder, 'log'), ...keys]),
    runJudge(peer('tessera-fsck'), [...fsck, '-N', '8']),
  ]);
  return {
    go: go.code === 0 ? 'sound' : go.stderr,
    // Its exit code is 0 whatever it finds.
    tessera: /\bSuccessfully fsck'd log with size/.test(tessera.stderr) ? 'sound' : tessera.stderr,
  };
}
