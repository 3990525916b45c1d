import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(120_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Merges `main` into the topic, with additional changes in the merge commit; then more commits. */
async function mergeMain(changed: FileChanges, ...more: FileChanges[]): Promise<void> {
  await scene.remote.switch('topic');
  await scene.remote.git('merge', '--quiet', '--no-ff', '--no-commit', 'main');
  await scene.remote.commit(changed);
  for (const changes of more) await scene.remote.commit(changes);
  await scene.remote.switch('main');
}

/** Lands the topic's own commits one by one, without its merges, after another commit. */
async function rebase(): Promise<void> {
  const own = await scene.remote.git('rev-list', '--reverse', '--no-merges', '--first-parent', 'main..topic');
  await scene.remote.commit({ more: 'm\n' });
  await scene.remote.cherryPick(...own.trim().split('\n'));
}

const first = { 'app.txt': text({ two: 'TWO' }) };
const second = { 'app.txt': text({ two: 'two, again' }) };

describe('a source that merged the target and landed commit by commit', () => {
  it.each([
    ['changes its lines again', second],
    ['takes its own change back', { 'app.txt': text(), newer: 'newer\n' }],
  ])('lacks nothing if the merge is its tip, and its last commit %s', async (_, last) => {
    await scene.topic(first, { new: 'new\n' }, last);
    await scene.remote.commit({ other: 'o\n' });
    await mergeMain({});
    await rebase();
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it.each([
    ['at its tip', []],
    ['in its middle', [{ newer: 'newer\n' }]],
  ])('lacks what the merge itself changed, %s', async (_, more) => {
    await scene.topic(first, second);
    await scene.remote.commit({ other: 'o\n' });
    await mergeMain({ hidden: 'changed in the merge\n' }, ...more);
    await rebase();
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT source_change_missing',
      'missing hidden source',
    ]);
  });
});

it('what the source merged from the target is not compared as the work of the source', async () => {
  await scene.topic(first);
  await scene.remote.commit(
    Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`others/${n}`, `${n}\n`])),
  );
  await mergeMain({}, second, { new: 'new\n' });
  await scene.remote.commit({ more: 'm\n' });
  await scene.remote.squash('topic');
  expect(await verdictOf(scene.remote, {}, { changedPaths: 8 })).toEqual(['EXACT']);
});
