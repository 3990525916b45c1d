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
  it('content that equals the merge is BY_HAND', async () => {
    const more = { theirs: { new: 'new\n' }, ours: { 'lib/util.txt': text(ten) } };
    expect((await judgeLanding({ ...more, landed: { new: 'new\n' } }))[0]).toBe('BY_HAND conflict_resolved');
  });

  it('an altered hunk of the source is DIVERGENT', async () => {
    const theirs = { 'app.txt': text({ two: 'TWO', eleven: 'return check(user)' }) };
    const altered = { 'app.txt': text({ two: 'TWO and zwei', eleven: 'return true' }) };
    expect(await judgeLanding({ theirs, landed: altered })).toEqual([
      'DIVERGENT source_change_missing',
      'altered app.txt:11-11 landed',
    ]);
  });

  it('an altered hunk of the target is DIVERGENT', async () => {
    const ours = { 'app.txt': text({ two: 'zwei', eleven: 'return check(user)' }) };
    const altered = { 'app.txt': text({ two: 'TWO and zwei', eleven: 'return true' }) };
    expect(await judgeLanding({ ours, landed: altered })).toEqual([
      'DIVERGENT target_change_undone',
      'altered app.txt:11-11 landed',
    ]);
  });

  it('a dropped mode bit is DIVERGENT, whichever side set it', async () => {
    const both = text({ two: 'TWO and zwei' });
    expect(
      await judgeLanding({ theirs: { 'app.txt': { executable: text({ two: 'TWO' }) } }, landed: {} }),
    ).toEqual(['DIVERGENT source_change_missing', 'missing app.txt source']);
    await scene.remote.switch('main', 'main~2');
    const ours = { 'app.txt': { executable: text({ two: 'zwei' }) } };
    expect(await judgeLanding({ ours, landed: {} })).toEqual([
      'DIVERGENT target_change_undone',
      'undone app.txt target',
    ]);
    await scene.remote.switch('main', 'main~2');
    expect(await judgeLanding({ ours, landed: { 'app.txt': { executable: both } } })).toEqual([
      'BY_HAND conflict_resolved',
      'by_hand app.txt:2-2 landed',
    ]);
  });

  it("others' new file that is emptied, or gone, is DIVERGENT", async () => {
    expect(await judgeLanding({ ours: { new: 'a\nb\n' }, landed: { new: '' } })).toEqual([
      'DIVERGENT target_change_undone',
      'undone new:1-2 target',
    ]);
    await scene.remote.switch('main', 'main~2');
    expect(await judgeLanding({ ours: { new: 'a\nb\n' }, landed: { new: null } })).toEqual([
      'DIVERGENT target_change_undone',
      'undone new target',
    ]);
  });

  it('a line or a file outside the review is DIVERGENT', async () => {
    const extra = { 'app.txt': text({ two: 'TWO and zwei', eleven: 'eleven\nbackdoor()' }), hook: 'x\n' };
    expect(await judgeLanding({ landed: extra })).toEqual([
      'DIVERGENT extra_content',
      'extra app.txt:12-12 landed',
      'extra hook landed',
    ]);
  });

  it('the lines that git shows with a conflict belong to the decision', async () => {
    const theirs = { 'app.txt': text({ two: 'TWO', six: 'SIX' }) };
    const ours = { 'app.txt': text({ two: 'zwei', six: 'sechs' }) };
    const landing = { 'app.txt': text({ two: 'both', four: 'between', six: 'both' }) };
    expect((await judgeLanding({ theirs, ours, landed: landing }))[0]).toBe('BY_HAND conflict_resolved');
  });
});
