import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { askUndone, undoneBy, wordsOf } from '../judge/ask-undone';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const FIX = ['check the sender', 'check the amount', 'check the receiver']
  .map((line) => `${line}\n`)
  .join('');
/** The file with the fix of another review behind its third line. */
const fixed = (changes: Record<string, string> = {}) =>
  text({ ...changes, three: `${changes['three'] ?? 'three'}\n${FIX.trimEnd()}` });

/** The findings on the squash of the topic, each as `certainty kind commit path:lines`. */
async function findings(): Promise<string[]> {
  return wordsOf(scene.remote, await undoneBy(scene.remote, await scene.remote.squash('topic')));
}

/** A topic that parts, then a fix that lands, then the topic's merge of main. */
async function mergeMain(own: FileChanges, how: () => Promise<void>): Promise<void> {
  await scene.topic(own);
  await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
  await scene.remote.switch('topic');
  await how();
  await scene.remote.switch('main');
}

const merge = (...args: string[]) =>
  scene.remote.git('merge', '--quiet', '--no-edit', ...args, 'main').then(() => undefined);

describe('work of an earlier landing that a source takes back', () => {
  it('by a merge of the target with its own side, outside of any conflict, is sure', async () => {
    await mergeMain({ other: 'mine\n' }, () => merge('-s', 'ours'));
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('by its own side of a conflict is likely', async () => {
    await mergeMain({ 'app.txt': text({ four: 'FOUR' }) }, () => merge('-X', 'ours'));
    expect(await findings()).toEqual(['likely dropped_in_conflict fix app.txt:4-6 target']);
  });

  it('by an old snapshot with an edit is likely if it removes exactly what the landing had added', async () => {
    await mergeMain({ other: 'mine\n' }, async () => {
      await merge();
      await scene.remote.commit({ 'app.txt': text({ nine: 'NINE' }) }, 'snapshot');
    });
    expect(await findings()).toEqual(['likely deleted fix app.txt:4-6 target']);
  });

  it('by the very file of before is sure if the source parted before the landing', async () => {
    await mergeMain({ other: 'mine\n' }, async () => {
      await merge();
      await scene.remote.commit({ 'app.txt': text() }, 'snapshot');
    });
    expect(await findings()).toEqual(['sure restored fix app.txt:4-6 target']);
  });

  it('by the very file of before is likely if the source parted after it', async () => {
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.topic({ 'app.txt': text(), other: 'mine\n' });
    expect(await findings()).toEqual(['likely restored fix app.txt:4-6 target']);
  });

  it('names a file that is gone, and one that is there again', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.commit({ new: FIX, 'lib/util.txt': null }, 'fix');
    await scene.remote.switch('topic');
    await merge();
    await scene.remote.commit({ new: null, 'lib/util.txt': text() }, 'snapshot');
    await scene.remote.switch('main');
    expect(await findings()).toEqual([
      'sure restored fix lib/util.txt:1-12 landed',
      'likely deleted fix new:1-3 target',
    ]);
  });

  it('by the landing itself is sure', async () => {
    await scene.topic({ other: 'mine\n' });
    const base = await scene.remote.head();
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    const landed = await scene.landOnWrongBase(base);
    expect(await wordsOf(scene.remote, await undoneBy(scene.remote, landed))).toEqual([
      'sure dropped_by_landing fix app.txt:4-6 target',
    ]);
  });

  it('with a mode and a link is named by the path alone', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.commit({ 'app.txt': { executable: text() } }, 'fix');
    await scene.remote.switch('topic');
    await merge('-s', 'ours');
    await scene.remote.switch('main');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt']);
  });

  it('carries the commit of the source that did it', async () => {
    await mergeMain({ other: 'mine\n' }, () => merge('-s', 'ours'));
    const { findings: found, window } = await undoneBy(scene.remote, await scene.remote.squash('topic'));
    expect(found[0]?.sourceCommitId).toBe(await scene.remote.git('rev-parse', 'topic'));
    expect(window).toMatchObject({ isComplete: true, landings: 2 });
  });

  it('carries which commits the source says it reverts', async () => {
    const fix = await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.switch('topic', 'main');
    await scene.remote.revert(fix);
    await scene.remote.switch('main');
    const undone = await undoneBy(scene.remote, await scene.remote.squash('topic'));
    expect(undone.revertedIds).toEqual([fix]);
    expect(undone.revertLines).toEqual(['Revert "fix"', `This reverts commit ${fix}.`]);
    expect(await wordsOf(scene.remote, undone)).toEqual(['likely restored fix app.txt:4-6 target']);
  });
});

describe('usual work is no finding', () => {
  it('if the source edits other lines', async () => {
    await mergeMain({ 'app.txt': text({ nine: 'NINE' }) }, () => merge());
    expect(await findings()).toEqual([]);
  });

  it('if the lines moved', async () => {
    await mergeMain({ other: 'mine\n' }, async () => {
      await merge();
      await scene.remote.commit({ 'app.txt': text(), checks: FIX }, 'moved');
    });
    expect(await findings()).toEqual([]);
  });

  it('if the file moved', async () => {
    await mergeMain({ other: 'mine\n' }, async () => {
      await merge();
      await scene.remote.commit({ 'app.txt': null, 'src/app.txt': fixed() }, 'moved');
    });
    expect(await findings()).toEqual([]);
  });

  it('if both sides made the same change', async () => {
    await mergeMain({ 'app.txt': fixed() }, () => merge());
    expect(await findings()).toEqual([]);
  });

  it('if the source goes on from the landed lines', async () => {
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.topic({ 'app.txt': text({ three: 'three\ncheck all of it, at once\nand log it\n' }) });
    expect(await findings()).toEqual([]);
  });

  it('if a landing of layout alone is taken back', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.commit({ 'app.txt': text().replaceAll('t', ' t') }, 'layout');
    await scene.remote.switch('topic');
    await merge('-s', 'ours');
    await scene.remote.switch('main');
    expect(await findings()).toEqual([]);
  });

  it('and a commit that removed lines is named, although the merge after it lacks them too', async () => {
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.topic({ 'app.txt': text() });
    const removal = await scene.remote.git('rev-parse', 'topic');
    await scene.remote.commit({ another: 'a\n' }, 'later');
    await scene.remote.switch('topic');
    await merge();
    await scene.remote.switch('main');
    const { findings: found } = await undoneBy(scene.remote, await scene.remote.squash('topic'));
    expect(found).toMatchObject([{ kind: 'restored', certainty: 'likely', sourceCommitId: removal }]);
  });

  it('if the landing is older than the window', async () => {
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.commit({ another: 'a\n' }, 'later');
    await scene.topic({ 'app.txt': text() });
    const { findings: found, window } = await undoneBy(scene.remote, await scene.remote.squash('topic'), 0);
    expect({ found, landings: window.landings }).toEqual({ found: [], landings: 1 });
  });
});

describe('it cannot be determined', () => {
  it('for a commit without a parent', async () => {
    await scene.topic({ other: 'mine\n' });
    const root = await scene.remote.git('rev-list', '--max-parents=0', 'main');
    const answer = await askUndone(scene.remote, root);
    expect(answer).toEqual({ unknown: 'no_parent' });
  });
});
