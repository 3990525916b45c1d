import { tmpdir } from 'node:os';
import { gitIn } from '../git/git';
import { lackedCommit, withinOneTime } from './submodules';

it('the commands for the submodules of a checkout have one time for all of them', async () => {
  const work = withinOneTime(
    gitIn(tmpdir()),
    async (git) => {
      for (;;) await git.run(['version']);
    },
    100,
  );
  await expect(work).rejects.toMatchObject({ code: 'REMOTE_SILENT' });
});

describe('the failure of a submodule whose remote lacks the commit', () => {
  const COMMIT = 'b'.repeat(40);
  const FETCHED = "Fetched in submodule path 'lib', but it did not contain";

  it('is found in the lines of git and of the remote', () => {
    const said = `fatal: remote error: upload-pack: not our ref ${COMMIT}\nfatal: ${FETCHED} ${COMMIT}. Direct fetching of that commit failed.\n`;
    expect(lackedCommit(said, 'inner')).toMatchObject({
      code: 'SUBMODULE_UNUSABLE',
      details: { files: ['inner/lib'], commitId: COMMIT },
    });
    expect(lackedCommit(said.replace('not our ref', 'no'), '.')).toBeUndefined();
  });

  it('is looked for in proportion to the length of a line that a remote sends', () => {
    const { user } = process.cpuUsage();
    expect(lackedCommit("fatal: Fetched in submodule path '".repeat(30_000), '.')).toBeUndefined();
    expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
  });
});
