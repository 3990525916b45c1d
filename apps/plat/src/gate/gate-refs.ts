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
    '--no-auto-maintenance',
    '--refmap=',
    ORIGIN,
    refspec,
  ];
}

/** Fetches one branch from origin into its private ref; a branch that origin lacks leaves no ref. */
export async function fetchBranch(git: Git, branch: string): Promise<void> {
  const args = fetchArguments(branch);
  const answer = await git.try(args);
  if (answer.code !== 0 && !answer.stderr.includes("couldn't find remote ref"))
    throw gitFailure(args, answer);
}

/** The commits that the private refs hold, by branch. */
export async function readTips(git: Git): Promise<Map<string, string>> {
  const lines = (await git.run(['for-each-ref', '--format=%(objectname) %(refname)', GATE_REFS])).split('\n');
  const refs = lines.filter((line) => line !== '').map((line) => line.split(' '));
  return new Map(refs.map(([commit = '', ref = '']) => [ref.slice(GATE_REFS.length + 1), commit]));
}

/** Removes what an earlier gate left: a stale `a` would block the ref of a new branch `a/b`. */
export async function clearGateRefs(git: Git): Promise<void> {
  const stale = await git.run(['for-each-ref', '--format=delete %(refname)', GATE_REFS]);
  if (stale !== '') await git.run(['update-ref', '--stdin'], stale);
}
