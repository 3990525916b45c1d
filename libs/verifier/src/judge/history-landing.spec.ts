import { type FileChanges, GitRemote, serveGit } from '@plat/testing';
import { embeddedVerifierConfig, type VerifierCaps } from '../config';
import { askInProcess } from './ask-in-process';

const LINES = Array.from({ length: 60 }, (_, line) => `line ${line}\n`);
/** A file of sixty lines with some of them changed. */
const file = (changes: Record<number, string> = {}) =>
  LINES.map((line, index) => changes[index] ?? line).join('');

describe('condition B', () => {
  let remote: GitRemote;
  beforeEach(async () => {
    remote = await GitRemote.create();
    await remote.commit({ shared: file(), 'folder/deep/kept': 'kept\n', readme: 'readme\n' });
    await remote.switch('feature', 'main');
  });
  afterEach(() => remote.remove());

  const ask = (
    caps: Partial<VerifierCaps> = {},
    branches = { targetBranch: 'main', sourceBranch: 'feature' },
  ) =>
    askInProcess(
      { condition: 'history', address: remote.fileUrl, ...branches },
      { ...embeddedVerifierConfig, caps: { ...embeddedVerifierConfig.caps, ...caps } },
    );
  const ancestor = expect.objectContaining({
    verified: true,
    landing: expect.objectContaining({ proof: 'ancestor' }),
  });
  const changeSet = (carrierCommitId: string) =>
    expect.objectContaining({
      verified: true,
      landing: expect.objectContaining({ proof: 'change_set', carrierCommitId }),
    });
  const refusedAs = (reason: string) => expect.objectContaining({ verified: false, judged: true, reason });
  /** Lands another review on main meanwhile. */
  const concurrently = async (changes: Parameters<GitRemote['commit']>[0] = { other: 'other\n' }) => {
    await remote.switch('main');
    return remote.commit(changes);
  };

  describe("the source branch tip is in the target's history", () => {
    it('accepts a branch sitting exactly on the target tip', async () =>
      expect(await ask()).toEqual(ancestor));

    it('accepts a fast-forward', async () => {
      await remote.commit({ a: '1' });
      await remote.git('branch', '--force', 'main', 'feature');
      await remote.switch('main');
      expect(await ask()).toEqual(ancestor);
      await remote.commit({ b: '1' });
      expect(await ask()).toEqual(ancestor);
    });

    it('accepts a merge commit, also when the target went on', async () => {
      await remote.commit({ a: '1' });
      await concurrently();
      await remote.merge('feature');
      await remote.commit({ b: '1' });
      expect(await ask()).toEqual(ancestor);
    });

    it('accepts a branch behind the target without commits of its own', async () => {
      await concurrently();
      expect(await ask()).toEqual(ancestor);
    });
  });

  describe("everything the source branch adds is already present in the target branch's history", () => {
    beforeEach(async () => {
      await remote.commit({ shared: file({ 10: 'ten\n' }), added: 'added\n' });
      await remote.commit({ 'folder/deep/new': 'new\n', readme: null });
    });

    it('accepts a squash on an idle target', async () => {
      await remote.switch('main');
      expect(await ask()).toEqual(refusedAs('not_landed'));
      const landed = await remote.squash('feature');
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('accepts a squash on a target that changed the same file elsewhere', async () => {
      await concurrently({ shared: file({ 40: 'forty\n' }), 'folder/deep/other': 'other\n' });
      const landed = await remote.squash('feature');
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('accepts a squash that was edited over or reverted later', async () => {
      await concurrently({ shared: file({ 40: 'forty\n' }) });
      const landed = await remote.squash('feature');
      await remote.commit({ shared: file({ 10: 'over\n', 40: 'forty\n' }) });
      expect(await ask()).toEqual(changeSet(landed));
      await remote.revert(landed).catch(() => remote.git('revert', '--abort'));
      await remote.commit({ added: null, 'folder/deep/new': null });
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('accepts a rebase of several commits', async () => {
      await concurrently({ shared: file({ 40: 'forty\n' }) });
      const [first, second] = (await remote.git('rev-list', '--reverse', 'main..feature')).split('\n');
      await remote.cherryPick(first as string);
      expect(await ask()).toEqual(refusedAs('not_landed'));
      const landed = await remote.cherryPick(second as string);
      await remote.commit({ more: '1' });
      expect(await ask()).toMatchObject({ verified: true, landing: { proof: 'change_set' } });
      expect(landed).not.toBe(second);
    });

    it('accepts a landing with additional content', async () => {
      await remote.switch('main');
      await remote.git('merge', '--squash', 'feature');
      const landed = await remote.commit({ extra: 'extra\n', shared: file({ 10: 'ten\n', 30: 'extra\n' }) });
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('refuses a missing last commit', async () => {
      await remote.switch('main');
      await remote.squash('feature~1');
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('refuses a dropped file', async () => {
      await remote.switch('main');
      await remote.git('merge', '--squash', 'feature');
      await remote.commit({ added: null });
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('refuses a deletion that was left out', async () => {
      await remote.switch('main');
      await remote.git('merge', '--squash', 'feature');
      await remote.commit({ readme: 'readme\n' });
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it.each<[string, FileChanges]>([
      ['altered bytes', { shared: file({ 10: 'ten \n' }) }],
      ['another place', { shared: file({ 11: 'ten\n' }) }],
      ['an added file with other content', { added: 'added' }],
      ['another mode', { added: { executable: 'added\n' } }],
      ['a link instead of a file', { added: { symlink: 'added\n' } }],
      ['a directory instead of a file', { added: null, 'added/file': 'added\n' }],
    ])('refuses %s', async (_, changes) => {
      await remote.switch('main');
      await remote.git('merge', '--squash', 'feature');
      await remote.commit(changes);
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it("refuses another branch's landing", async () => {
      await remote.switch('other', 'main');
      await remote.commit({ shared: file({ 11: 'eleven\n' }), other: 'other\n' });
      await remote.switch('main');
      await remote.squash('other');
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('refuses a change set whose halves were never present together', async () => {
      await remote.switch('main');
      await remote.squash('feature~1');
      await remote.revert('main');
      await remote.commit({ 'folder/deep/new': 'new\n', readme: null });
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('refuses a change set that only a commit of a merged side branch had', async () => {
      await remote.switch('side', 'main');
      await remote.squash('feature');
      await remote.revert('side');
      await concurrently();
      await remote.merge('side');
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });
  });

  describe('content that is not text must be equal', () => {
    it('accepts and refuses binaries, modes, links and submodules', async () => {
      const module = await remote.head();
      await remote.commit({
        binary: Buffer.from([0, 1, 2]),
        tool: { executable: 'tool\n' },
        link: { symlink: 'readme' },
        module: { submodule: module },
        readme: { executable: 'readme\n' },
      });
      await concurrently({ readme: 'readme, changed\n' });
      await remote.git('merge', '--squash', '-X', 'theirs', 'feature');
      const landed = await remote.commit();
      expect(await ask()).toEqual(changeSet(landed));
      const alterations: FileChanges[] = [
        { binary: Buffer.from([0, 1, 3]) },
        { tool: 'tool\n' },
        { link: 'readme' },
        { module: { submodule: 'b'.repeat(40) } },
        { readme: 'readme\n' },
      ];
      for (const changes of alterations) {
        await remote.commit(changes);
        await remote.git('reset', '--soft', landed);
        await remote.git('commit', '--amend', '--quiet', '-m', 'altered');
        expect(await ask()).toEqual(refusedAs('not_landed'));
        await remote.git('reset', '--hard', landed);
      }
    });

    it('accepts a binary of which one side changed the mode and the other one the content', async () => {
      await concurrently({ binary: Buffer.from([0, 1]), tool: Buffer.from([0, 2]) });
      await remote.switch('feature');
      await remote.git('reset', '--hard', 'main');
      await remote.commit({ binary: Buffer.from([0, 3]), tool: { executable: '\0\x02' } });
      await concurrently({ binary: { executable: '\0\x01' }, tool: Buffer.from([0, 4]) });
      await remote.git('merge', '--squash', 'feature');
      expect(await ask()).toEqual(refusedAs('not_landed'));
      const landed = await remote.commit();
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('refuses a changed file if the target has a link, or lacks the directory', async () => {
      await remote.commit({ 'folder/deep/kept': 'kept, changed\n' });
      await concurrently({ 'folder/deep/kept': { symlink: 'kept' } });
      expect(await ask()).toEqual(refusedAs('not_landed'));
      await remote.commit({ 'folder/deep/kept': null });
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('accepts a file that became a directory, and the reverse', async () => {
      await remote.commit({ readme: null, 'folder/deep/kept': null });
      await remote.commit({ 'readme/first': '1\n', folder: 'file\n' });
      await concurrently();
      const landed = await remote.squash('feature');
      expect(await ask()).toEqual(changeSet(landed));
    });
  });

  describe('is refused', () => {
    it('for unrelated history, also with equal content', async () => {
      await remote.orphan('island');
      await remote.commit({ shared: file(), 'folder/deep/kept': 'kept\n', readme: 'readme\n' });
      const branches = { targetBranch: 'main', sourceBranch: 'island' };
      expect(await ask({}, branches)).toEqual(refusedAs('unrelated_history'));
    });

    it('for a branch that adds nothing: a change and its revert, an empty commit', async () => {
      const change = await remote.commit({ a: '1\n' });
      await remote.revert(change);
      await concurrently();
      expect(await ask()).toEqual(refusedAs('not_landed'));
      await remote.git('branch', '--force', 'feature', 'main~1');
      await remote.switch('feature');
      await remote.commit();
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('for a branch that reverts its own merged change, although the target was so before the merge', async () => {
      await remote.commit({ readme: 'changed\n' });
      await concurrently();
      await remote.merge('feature');
      await remote.switch('feature');
      await remote.revert('feature');
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('for a branch ahead of an idle target', async () => {
      await remote.commit({ a: '1\n' });
      expect(await ask()).toEqual(refusedAs('not_landed'));
    });

    it('for a branch that does not exist, source or target', async () => {
      expect(await ask({}, { targetBranch: 'main', sourceBranch: 'gone' })).toEqual(
        refusedAs('branch_missing'),
      );
      expect(await ask({}, { targetBranch: 'gone', sourceBranch: 'feature' })).toEqual(
        refusedAs('branch_missing'),
      );
      expect(await ask({}, { targetBranch: 'main', sourceBranch: '--all' })).toEqual(
        refusedAs('branch_missing'),
      );
    });
  });

  describe('is not judged beyond a cap', () => {
    const tooLarge = expect.objectContaining({ verified: false, judged: false, reason: 'remote_too_large' });

    it.each([
      { changedPaths: 2 },
      { candidates: 1 },
      { requests: 4 },
      { objects: 3 },
      { inflatedBytes: 500 },
    ])('%j', async (caps) => {
      await remote.commit({ a: '1\n', b: '1\n', c: '1\n' });
      await concurrently();
      await remote.commit({ f: '1\n' });
      expect(await ask(caps)).toEqual(tooLarge);
    });

    it('of merges from the target', async () => {
      await remote.commit({ a: '1\n' });
      await concurrently();
      await remote.switch('feature');
      await remote.merge('main');
      await concurrently({ g: '1\n' });
      expect(await ask({ boundaryCommits: 1 })).toEqual(tooLarge);
    });

    it('a file that is too large to compare counts as binary', async () => {
      await remote.commit({ shared: file({ 10: 'ten\n' }) });
      await concurrently({ shared: file({ 40: 'forty\n' }) });
      await remote.squash('feature');
      expect(await ask({ diffedFileBytes: 100 })).toEqual(refusedAs('not_landed'));
      expect(await ask({ diffedLines: 1 })).toMatchObject({ verified: true });
    });
  });

  it.each(['v0', 'v2'] as const)(
    'refuses content that the target had only before the branches parted, over protocol %s',
    async (protocol) => {
      await concurrently({ shared: file({ 10: 'ten\n' }) });
      await remote.commit({ shared: file() });
      await remote.switch('feature', 'main');
      await remote.commit({ shared: file({ 10: 'ten\n' }) });
      await concurrently();
      const server = await serveGit(remote.projectRoot, { protocol });
      const address = `${server.origin}/repo/.git`;
      const answer = await askInProcess({
        condition: 'history',
        address,
        targetBranch: 'main',
        sourceBranch: 'feature',
      });
      await server.close();
      expect(answer).toEqual(refusedAs('not_landed'));
    },
  );
});
