import { childVariables } from '../environment';
import type { Git } from '../git/git';
import { withReadableCopy } from './readable-copy';
import { withLandingsHere } from './verifier-library.js';

/** Questions about landings, which the service's own code answers. */
export type LandingsHere = Parameters<Parameters<typeof withLandingsHere>[1]>[0];

/**
 * Runs work that asks about the landings of a target, in a process of its own.
 *
 * @param options.tip the target's newest commit
 * @param options.verifierWorker file of the program that reads the repository; default: the client's own
 */
export async function withLandings<T>(
  git: Git,
  { tip, verifierWorker }: { tip: string; verifierWorker?: string | undefined },
  work: (here: LandingsHere) => Promise<T>,
): Promise<T> {
  const judging = {
    gitSearchPath: childVariables({})['PATH'],
    workerFile: verifierWorker,
    signal: git.interrupted,
  };
  const answer = await withReadableCopy(git, new Map([['target', tip]]), (folder) =>
    withLandingsHere({ ...judging, folder }, work),
  );
  // An interrupted question ends without an answer.
  git.interrupted?.throwIfAborted();
  return answer;
}
