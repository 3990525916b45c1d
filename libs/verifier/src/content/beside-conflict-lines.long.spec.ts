import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Both sides change line two of app.txt, a soundly decided conflict. The caller gives their other changes. */
async function judgeLanding(sides: {
  ours?: FileChanges;
  theirs?: FileChanges;
  landed: FileChanges;
}): Promise<[string, ...string[]]> {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }), ...sides.theirs });
  await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }), other: 'other\n', ...sides.ours });
  await scene.remote.commit({ 'app.txt': text({ two: 'TWO and zwei' }), ...sides.landed });
  return verdictOf(scene.remote);
}

const ten = Object.fromEntries(
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((line) => [
    line,
    `new ${line}`,
  ]),
);

describe('next to a conflict all other content counts', () => {
  it("a revert of nine of ten lines of others' hunk is DIVERGENT", async () => {
    const [last] = Object.keys(ten).slice(-1) as [string];
    const landing = { 'lib/util.txt': text({ [last]: ten[last] as string }) };
    expect(await judgeLanding({ ours: { 'lib/util.txt': text(ten) }, landed: landing })).toEqual([
      'DIVERGENT target_change_undone',
      'undone lib/util.txt:1-9 target',
    ]);
  });

  it('a fix reverted with a blank line next to it is DIVERGENT', async () => {
    const ours = { 'lib/util.txt': text({ five: 'fixed' }) };
    expect(await judgeLanding({ ours, landed: { 'lib/util.txt': text({ five: 'five\n' }) } })).toEqual([
      'DIVERGENT target_change_undone',
      expect.stringContaining('lib/util.txt:5-'),
    ]);
  });

  it('a deleted file restored with an additional line is DIVERGENT', async () => {
    const restored = { 'lib/util.txt': `${text()}more\n` };
    expect(await judgeLanding({ ours: { 'lib/util.txt': null }, landed: restored })).toEqual([
      'DIVERGENT target_change_undone',
      'undone lib/util.txt target',
    ]);
  });

  it('a revert of work older than the merge base is DIVERGENT', async () => {
    expect(await judgeLanding({ landed: { 'lib/util.txt': text({ four: 'old four' }) } })).toEqual([
      'DIVERGENT extra_content',
      'altered lib/util.txt:4-4 landed',
    ]);
    await scene.remote.switch('main', 'main~2');
    expect(await judgeLanding({ landed: { 'lib/util.txt': null } })).toEqual([
      'DIVERGENT target_change_undone',
      'undone lib/util.txt target',
    ]);
  });
});
