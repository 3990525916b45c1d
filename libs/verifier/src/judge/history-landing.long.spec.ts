import { GitRemote, serveGit } from '@plat/testing';
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

  describe("everything the source branch adds is already present in the target branch's history", () => {
    beforeEach(async () => {
      await remote.commit({ shared: file({ 10: 'ten\n' }), added: 'added\n' });
      await remote.commit({ 'folder/deep/new': 'new\n', readme: null });
    });

    it('accepts a squash behind twenty later commits, a merge among them', async () => {
      const landed = await concurrently().then(() => remote.squash('feature'));
      await remote.switch('side', 'main');
      await remote.commit({ side: '1' });
      await remote.switch('main');
      for (let count = 0; count < 10; count += 1) await remote.commit({ shared: file({ 10: `${count}\n` }) });
      await remote.merge('side');
      await remote.commit({ shared: file() });
      expect(await ask()).toEqual(changeSet(landed));
    });

    it('accepts changes of several files that others changed too', async () => {
      const files = ['one', 'two', 'three'];
      const all = (changes: Record<number, string>) =>
        Object.fromEntries(files.map((name) => [name, file(changes)]));
      await remote.switch('main');
      await remote.commit(all({}));
      await remote.switch('feature', 'main');
      await remote.commit(all({ 10: 'ten\n' }));
      await concurrently(all({ 40: 'forty\n' }));
      await concurrently({ three: file({ 40: 'forty\n', 10: 'other\n' }) });
      expect(await ask()).toEqual(refusedAs('not_landed'));
      await remote.commit({ three: file({ 40: 'forty\n' }) });
      const landed = await remote.squash('feature');
      expect(await ask()).toEqual(changeSet(landed));
    });
  });

  describe('several merge bases', () => {
    it('accepts a criss-cross once its rest is squashed, and refuses it before', async () => {
      await remote.commit({ a: '1\n' });
      await concurrently({ b: '1\n' });
      await remote.switch('crossed', 'main');
      await remote.merge('feature');
      await remote.switch('feature');
      await remote.merge('main');
      await remote.commit({ c: '1\n' });
      await remote.switch('main');
      await remote.git('reset', '--hard', 'crossed');
      await remote.commit({ d: '1\n' });
      expect((await remote.git('merge-base', '--all', 'main', 'feature')).split('\n')).toHaveLength(2);
      expect(await ask()).toEqual(refusedAs('not_landed'));
      await remote.git('merge', '--squash', 'feature');
      const landed = await remote.commit();
      const answer = await ask();
      expect(answer).toEqual(changeSet(landed));
    });

    it.each(['ours', 'theirs'])(
      'refuses a source if the target has its changes since only one base: %s was taken back',
      async (undone) => {
        const theirs = await remote.commit({ theirs: '1\n' });
        const ours = await concurrently({ ours: '1\n' });
        await remote.merge(theirs);
        await remote.switch('feature');
        await remote.merge(ours);
        await remote.commit({ rest: '1\n' });
        await remote.switch('main');
        await remote.commit({ [undone]: null });
        await remote.commit({ rest: '1\n' });
        expect(await ask()).toEqual(refusedAs('not_landed'));
      },
    );

    it('takes the newest of the merges from the target as the base', async () => {
      await remote.commit({ a: '1\n' });
      await concurrently({ b: '1\n' });
      await remote.switch('feature');
      await remote.merge('main');
      const base = await concurrently({ c: '1\n' });
      await remote.switch('feature');
      await remote.merge('main');
      await remote.commit({ d: '1\n' });
      await concurrently({ e: '1\n' });
      const landed = await remote.squash('feature');
      expect(await ask()).toMatchObject({
        verified: true,
        landing: { mergeBases: [base], carrierCommitId: landed },
      });
    });
  });

  it('drops a merge base that another one descends from, even if the received commits do not show it', async () => {
    const older = await concurrently({ b: '1\n' });
    await remote.switch('feature');
    await remote.commit({ a: '1\n' });
    await remote.merge('main');
    await remote.switch('line', older);
    const newer = await remote.commit({ c: '1\n' });
    await remote.switch('feature');
    await remote.merge('line');
    await concurrently({ e: '1\n' });
    await remote.merge('line');
    const landed = await remote.squash('feature');
    expect(await ask()).toMatchObject({
      verified: true,
      landing: { mergeBases: [newer], carrierCommitId: landed },
    });
  });

  it.each([
    ['v2 with filter', {}, 'true'],
    ['v2 without filter', {}, 'false'],
    ['v0 with filter', { protocol: 'v0' as const }, 'true'],
    ['v0 without filter', { protocol: 'v0' as const }, 'false'],
  ])('is judged the same over http, protocol %s', async (_, options, filter) => {
    await remote.git('config', 'uploadpack.allowFilter', filter);
    await remote.commit({ shared: file({ 10: 'ten\n' }), 'folder/deep/new': 'new\n' });
    await concurrently({ shared: file({ 40: 'forty\n' }) });
    const server = await serveGit(remote.projectRoot, options);
    const address = `${server.origin}/repo/.git`;
    const over = () =>
      askInProcess({ condition: 'history', address, targetBranch: 'main', sourceBranch: 'feature' });
    try {
      expect(await over()).toEqual(refusedAs('not_landed'));
      const landed = await remote.squash('feature');
      await remote.commit({ 'folder/deep/new': null });
      expect(await over()).toEqual(changeSet(landed));
      await remote.merge('feature');
      expect(await over()).toEqual(ancestor);
    } finally {
      await server.close();
    }
  });
});
