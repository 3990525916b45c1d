import { LandingScene } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

it('a conflict with more lines than a function call can take as arguments is judged like any other', async () => {
  const lines = (side: string) => ({
    'app.txt': Array.from({ length: 70_000 }, (_, line) => `${side} ${line}\n`).join(''),
  });
  await scene.topic(lines('theirs'));
  await scene.remote.commit(lines('ours'));
  await scene.remote.commit(lines('written'));
  expect((await verdictOf(scene.remote))[0]).toBe('BY_HAND conflict_resolved');
});
