import { ORIGIN } from './checkout';
import { gitFailure, type Git } from './git';

/** Where a gate keeps the branches that it fetched, apart from everything that a person's git commands use. */
const GATE_REFS = 'refs/plat/gate';

/** The private ref that holds the branch as the last gate fetched it. */
export function gateRef(branch: string): string {
  return `${GATE_REFS}/${branch}`;
}

/** The fetch of one branch: into its private ref and nowhere else. */
export function fetchArguments(branch: string): string[] {
  const refspec = `+refs/heads/${branch}:${gateRef(branch)}`;
  return [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--refmap=',
    ORIGIN,
    refspec,
  ];
}

/** Fetches one branch from origin and returns its tip, or undefined when origin has no such branch. */
export async function fetchBranch(git: Git, branch: string): Promise<string | undefined> {
  const args = fetchArguments(branch);
  const answer = await git.try(args);
  if (answer.code === 0) return (await git.run(['rev-parse', '--verify', gateRef(branch)])).trim();
  if (answer.stderr.includes("couldn't find remote ref")) return undefined;
  throw gitFailure(args, answer);
}

/** Removes what an earlier gate left: a stale `a` would block the ref of a new branch `a/b`. */
export async function clearGateRefs(git: Git): Promise<void> {
  const stale = await git.run(['for-each-ref', '--format=delete %(refname)', GATE_REFS]);
  if (stale !== '') await git.run(['update-ref', '--stdin'], stale);
}
