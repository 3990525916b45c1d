import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, type PlatRun, waitForExit } from './drive-stand';

/** The arguments of a drive, before its gate command. */
export const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];

/** The JSON of a command that failed. */
export interface Failed {
  code: string;
  message: string;
  details: Record<string, string>;
}

export const drive = (checkout: Checkout, gate = 'true', ...more: string[]): Promise<PlatRun> =>
  checkout.plat([...DRIVE, gate, ...more]);

export const readFailure = ({ stdout }: PlatRun): Failed => JSON.parse(stdout) as Failed;

export const readStatus = async (checkout: Checkout, id: string): Promise<string> =>
  (await checkout.json<{ status: string }>(['review', 'show', id])).status;

export const readVerdicts = async (checkout: Checkout, id: string): Promise<string[]> =>
  (await checkout.json<{ gateRuns: { verdict: string }[] }>(['gate', 'list', '--review', id])).gateRuns.map(
    ({ verdict }) => verdict,
  );

export const readRemoteMain = async (checkout: Checkout): Promise<string | undefined> =>
  (await checkout.git('ls-remote', 'origin', 'refs/heads/main')).split('\t')[0];

/** The head of the worktree of the checkout's drives. */
export const readHead = (checkout: Checkout): Promise<string> =>
  checkout.git('-C', checkout.worktree, 'rev-parse', 'HEAD');

/** Starts a drive whose gate waits until the test lets it end. */
export async function startGate(
  checkout: Checkout,
  exitCode = 0,
): Promise<{ child: ChildProcess; end(): Promise<PlatRun> }> {
  const child = checkout.start([
    ...DRIVE,
    `echo gating; while test ! -e ../end.${exitCode}; do sleep 0.05; done; rm ../end.${exitCode}; exit ${exitCode}`,
  ]);
  const run = waitForExit(child);
  for await (const chunk of child.stderr!) if (String(chunk).includes('gating')) break;
  child.stderr!.resume();
  return {
    child,
    async end() {
      await writeFile(join(checkout.folder, `../end.${exitCode}`), '');
      return run;
    },
  };
}
