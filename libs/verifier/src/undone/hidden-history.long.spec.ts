import { type FileChanges, fixedLines as fixed, twelveLines as text, UndoneScene } from '@plat/testing';
import { findingsOf, undoneBy, wordsOf } from '../judge/ask-undone';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: UndoneScene;
beforeEach(async () => (scene = await UndoneScene.create()));
afterEach(() => scene.remote.remove());

const findings = (days?: number) => findingsOf(scene, days);

describe('an author cannot hide it by the shape of the history', () => {
  it('the target as the first parent of the own merge', async () => {
    await scene.landFix();
    await scene.remote.switch('turned', 'main');
    await scene.git('merge', '--quiet', '--no-commit', '--no-ff', 'topic');
    await scene.git('checkout', '--quiet', 'topic', '--', 'app.txt');
    await scene.git('commit', '--quiet', '-m', 'turned');
    await scene.git('branch', '--quiet', '--force', 'topic', 'turned');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a merge of another branch that merged the target with its own side', async () => {
    await scene.landFix();
    await scene.remote.switch('helper', 'topic');
    await scene.mergeMain('-s', 'ours');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.merge('helper');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('its own side against another branch that merged the target soundly', async () => {
    await scene.landFix();
    await scene.remote.switch('helper', 'topic');
    await scene.mergeMain();
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.git('merge', '--quiet', '--no-edit', '-s', 'ours', 'helper');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('an octopus merge', async () => {
    await scene.landFix();
    await scene.remote.switch('helper', 'topic');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.git('merge', '--quiet', '--no-edit', '-s', 'ours', 'helper', 'main');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('merges in both directions, which have several merge bases', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.commit({ first: '1\n' }, 'first');
    const [main, topic] = [await scene.git('rev-parse', 'main'), await scene.git('rev-parse', 'topic')];
    await scene.remote.merge(topic);
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.switch('topic');
    await scene.remote.merge(main);
    await scene.remote.commit({ more: 'more\n' });
    await scene.mergeMain('-s', 'ours');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a merge that loses lines that both its parents have', async () => {
    await scene.landFix();
    await scene.mergeMain();
    await scene.remote.switch('helper', 'topic');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.git('merge', '--quiet', '--no-commit', '--no-ff', 'helper');
    await scene.remote.commit({ 'app.txt': text() }, 'evil');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a commit of another branch that it merged later', async () => {
    await scene.landFix();
    await scene.mergeMain();
    await scene.remote.switch('helper', 'topic');
    const snapshot = await scene.remote.commit({ 'app.txt': text() }, 'snapshot');
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.merge('helper');
    const { findings: found } = await undoneBy(scene.remote, await scene.land());
    expect(found).toMatchObject([{ kind: 'restored', certainty: 'sure', sourceCommitId: snapshot }]);
  });

  it('a file that the source moved before it merged', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.switch('topic');
    await scene.git('mv', 'app.txt', 'moved.txt');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.switch('main');
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.switch('topic');
    await scene.mergeMain('-s', 'ours');
    await scene.remote.switch('main');
    const landed = await scene.git('commit-tree', 'topic^{tree}', '-p', 'main', '-m', 'squash');
    const words = await wordsOf(scene.remote, await undoneBy(scene.remote, landed));
    expect(words).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a landing that moved the file after the fix', async () => {
    await scene.landFix();
    await scene.remote.switch('main');
    await scene.git('mv', 'app.txt', 'moved.txt');
    await scene.git('commit', '--quiet', '-m', 'move');
    await scene.remote.switch('topic');
    await scene.mergeMain();
    await scene.remote.commit({ 'moved.txt': text() }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix moved.txt:4-6 target']);
  });
});

describe('an author cannot hide it by dates', () => {
  async function land(date: number, changes: FileChanges, subject: string): Promise<void> {
    await scene.remote.commit(changes, subject);
    const amend = `!env 'GIT_COMMITTER_DATE=${date} +0000' git commit --quiet --amend --no-edit --allow-empty`;
    await scene.git('-c', `alias.dated=${amend}`, 'dated');
  }

  it.each([
    ['of long ago', 1_000_000_000],
    ['of the future', 4_000_000_000],
  ])('a landing %s above the fix', async (_, date) => {
    const now = Math.floor(Date.now() / 1000);
    await land(now - 60, { 'app.txt': fixed() }, 'fix');
    await land(date, { more: 'more\n' }, 'dated');
    await land(now - 30, { last: 'last\n' }, 'last');
    await land(date, { most: 'most\n' }, 'dated');
    await scene.topic({ 'app.txt': text() });
    expect(await findings(1)).toEqual(['likely restored fix app.txt:4-6 target']);
  });
});
