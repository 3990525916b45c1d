import { git, GitRemote, type ImportedCommit } from '@plat/testing';
import fc from 'fast-check';
import { askInProcess } from './ask-in-process';

const RUNS = 40;

/** Random parents among the commits just before, and random dates: merges, several roots, clocks that run backwards. */
const histories = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(), { maxLength: 2 }),
      date: fc.integer({ min: 1e9, max: 1e9 + 50 }),
    }),
    {
      minLength: 2,
      maxLength: 24,
    },
  )
  .map((drafts): ImportedCommit[] =>
    drafts.map(({ parents, date }, index) => ({
      parents:
        index === 0 ? [] : [...new Set(parents.map((back) => index - 1 - (back % Math.min(index, 3))))],
      date,
    })),
  );

it('condition A says what git merge-base --is-ancestor says, on random histories with skewed clocks', async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.nat(),
      fc.nat(),
      fc.option(fc.nat()),
      async (commits, tip, commit, anchor) => {
        const remote = await GitRemote.create();
        try {
          const ids = await remote.import(commits, { main: tip % commits.length });
          const idOf = (choice: number) => ids[choice % ids.length] as string;
          const isAncestor = async (older: string, newer: string) =>
            (await git(remote.worktree, ['rev-list', newer])).split('\n').includes(older);
          const onTarget = await isAncestor(idOf(commit), idOf(tip));
          const gated = anchor === null || (await isAncestor(idOf(anchor), idOf(commit)));
          const answer = await askInProcess({
            condition: 'queue',
            address: remote.fileUrl,
            targetBranch: 'main',
            commitId: idOf(commit),
            anchorCommitId: anchor === null ? undefined : idOf(anchor),
          });
          const expected = !onTarget ? 'commit_not_on_target' : gated ? 'verified' : 'gated_tip_lost';
          expect(answer.verified ? 'verified' : answer.reason).toBe(expected);
        } finally {
          await remote.remove();
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 60_000);
