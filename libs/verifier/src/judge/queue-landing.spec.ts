import { GitRemote, serveGit } from '@plat/testing';
import { askInProcess } from './ask-in-process';

describe('condition A', () => {
  let remote: GitRemote;
  beforeEach(async () => (remote = await GitRemote.create()));
  afterEach(() => remote.remove());

  const ask = (commitId: string, anchorCommitId?: string, targetBranch = 'main') =>
    askInProcess({ condition: 'queue', address: remote.fileUrl, targetBranch, commitId, anchorCommitId });
  const refusedAs = (reason: string) => expect.objectContaining({ verified: false, judged: true, reason });

  describe("the build's commitId is reachable from the tip of the review's target branch", () => {
    it('accepts the tip itself', async () => {
      const tip = await remote.commit();
      expect(await ask(tip)).toEqual({ verified: true, landing: { targetTip: tip, commitId: tip } });
    });

    it('accepts a commit that others landed on', async () => {
      const landed = await remote.commit();
      const tip = await remote.commit();
      expect(await ask(landed)).toEqual({ verified: true, landing: { targetTip: tip, commitId: landed } });
    });

    it('accepts a commit that is the second parent of a merge', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const landed = await remote.commit({ side: '1' });
      await remote.switch('main');
      await remote.commit({ main: '1' });
      await remote.merge('side');
      expect(await ask(landed)).toMatchObject({ verified: true });
    });

    it('refuses a commit that is on another branch only', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const elsewhere = await remote.commit();
      expect(await ask(elsewhere)).toEqual(refusedAs('commit_not_on_target'));
    });

    it('refuses a commit that a forced push removed from the branch', async () => {
      await remote.commit();
      const lost = await remote.commit({ a: '1' });
      await remote.git('reset', '--hard', 'HEAD~1');
      await remote.commit({ a: '2' });
      expect(await ask(lost)).toEqual(refusedAs('commit_not_on_target'));
    });

    it('refuses the original commits of a rebase, a squash and a cherry-pick', async () => {
      await remote.commit({ a: '1' });
      await remote.switch('side', 'main');
      const original = await remote.commit({ side: '1' });
      await remote.switch('main');
      await remote.commit({ b: '1' });
      const picked = await remote.cherryPick(original);
      expect(await ask(original)).toEqual(refusedAs('commit_not_on_target'));
      expect(await ask(picked)).toMatchObject({ verified: true });
    });

    it.each(['0'.repeat(40), 'HEAD', 'main', '', '0123456', 'a'.repeat(64), '--all'])(
      'refuses %j, which names no commit',
      async (commitId) => {
        await remote.commit();
        expect(await ask(commitId)).toEqual(refusedAs('commit_not_on_target'));
      },
    );

    it('refuses a tree and a blob of the target', async () => {
      await remote.commit({ a: '1' });
      expect(await ask(await remote.git('rev-parse', 'main^{tree}'))).toEqual(
        refusedAs('commit_not_on_target'),
      );
      expect(await ask(await remote.git('rev-parse', 'main:a'))).toEqual(refusedAs('commit_not_on_target'));
    });

    it('reads the branch, not a tag of the same name', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const tagged = await remote.commit();
      await remote.git('tag', 'main', tagged);
      expect(await ask(tagged)).toEqual(refusedAs('commit_not_on_target'));
    });

    it('reads the branch, not one whose longer name starts with it', async () => {
      const landed = await remote.commit();
      await remote.switch('main-2', 'main');
      const tip = await remote.commit();
      expect(await ask(landed)).toMatchObject({ verified: true, landing: { targetTip: landed } });
      expect(await ask(tip)).toEqual(refusedAs('commit_not_on_target'));
    });

    it('does not count replace refs', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const elsewhere = await remote.commit({ side: '1' });
      await remote.switch('main');
      const tip = await remote.commit({ main: '1' });
      await remote.git('replace', '--graft', tip, elsewhere);
      const server = await serveGit(remote.projectRoot);
      const address = `${server.origin}/repo/.git`;
      const overHttp = await askInProcess({
        condition: 'queue',
        address,
        targetBranch: 'main',
        commitId: elsewhere,
      });
      await server.close();
      expect(overHttp).toEqual(refusedAs('commit_not_on_target'));
      expect(await ask(elsewhere)).toEqual(refusedAs('commit_not_on_target'));
    });

    it('reads a pack whose commits are deltas of each other', async () => {
      const landed = await remote.commit();
      const long = Array.from({ length: 200 }, (_, line) => `line ${line} of a long message`).join('\n');
      for (let index = 0; index < 20; index += 1) await remote.commit({}, `${long}\n${index}`);
      await remote.git('repack', '-adfq', '--depth=50', '--window=50');
      expect(await ask(landed)).toMatchObject({ verified: true });
    });
  });

  describe('the gated tip is a real ancestor of the reported commit', () => {
    it('accepts, and returns tree and parents of the commit', async () => {
      const anchor = await remote.commit({ a: '1' });
      const landed = await remote.commit({ a: '2' });
      await remote.commit({ a: '3' });
      const treeId = await remote.git('rev-parse', `${landed}^{tree}`);
      expect(await ask(landed, anchor)).toMatchObject({
        verified: true,
        landing: { commitId: landed, anchorCommitId: anchor, commit: { treeId, parentIds: [anchor] } },
      });
    });

    it('tolerates unrelated commits that land directly on the branch in between', async () => {
      const anchor = await remote.commit();
      await remote.commit();
      const landed = await remote.commit();
      expect(await ask(landed, anchor)).toMatchObject({ verified: true });
    });

    it('accepts the anchor itself: two reviews landed in one commit', async () => {
      const landed = await remote.commit();
      expect(await ask(landed, landed)).toMatchObject({ verified: true });
      await remote.commit();
      expect(await ask(landed, landed)).toMatchObject({ verified: true });
    });

    it('accepts an anchor that only the second parent reaches', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const anchor = await remote.commit({ side: '1' });
      await remote.switch('main');
      await remote.commit({ main: '1' });
      const landed = await remote.merge('side');
      expect(await ask(landed, anchor)).toMatchObject({ verified: true });
    });

    it('refuses a commit that does not descend from the gated tip, even if both are on the target', async () => {
      await remote.commit();
      await remote.switch('side', 'main');
      const landed = await remote.commit({ side: '1' });
      await remote.switch('main');
      const anchor = await remote.commit({ main: '1' });
      await remote.merge('side');
      expect(await ask(landed, anchor)).toEqual(refusedAs('gated_tip_lost'));
    });

    it('refuses a commit older than the anchor', async () => {
      const landed = await remote.commit();
      const anchor = await remote.commit();
      expect(await ask(landed, anchor)).toEqual(refusedAs('gated_tip_lost'));
    });

    it('refuses if a forced push removed the anchor, whether the server still has it or not', async () => {
      await remote.commit();
      const anchor = await remote.commit({ a: 'lost' });
      await remote.git('reset', '--hard', 'HEAD~1');
      const landed = await remote.commit({ a: 'forced' });
      expect(await ask(landed, anchor)).toEqual(refusedAs('gated_tip_lost'));
      await remote.git('reflog', 'expire', '--expire=now', '--all');
      await remote.git('gc', '--quiet', '--prune=now');
      expect(await ask(landed, anchor)).toEqual(refusedAs('gated_tip_lost'));
    });

    it('treats an anchor that is no commit id as removed', async () => {
      const landed = await remote.commit();
      expect(await ask(landed, 'HEAD')).toEqual(refusedAs('gated_tip_lost'));
    });

    it('refuses a commit next to the target because it is not on it, before it checks the anchor', async () => {
      const anchor = await remote.commit();
      await remote.switch('side', 'main');
      const elsewhere = await remote.commit();
      expect(await ask(elsewhere, anchor)).toEqual(refusedAs('commit_not_on_target'));
    });
  });

  describe('the target branch', () => {
    it.each(['gone', 'mai', 'heads/main', 'refs/heads/main', '-main', 'main..side', 'a b', ''])(
      'refuses %j, which the remote lacks',
      async (branch) => {
        const commit = await remote.commit();
        expect(await ask(commit, undefined, branch)).toEqual(refusedAs('branch_missing'));
      },
    );

    it('refuses any branch of an empty repository', async () => {
      expect(await ask('a'.repeat(40))).toEqual(refusedAs('branch_missing'));
    });
  });
});
