import { LandingScene, twelveLines as text } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** The file that both sides change, and the attributes of both trees. */
async function bothSidesChange(attribute: string, sides: { ours: string; theirs: string }): Promise<void> {
  await scene.remote.commit({ '.gitattributes': `*.txt ${attribute}\n` });
  await scene.topic({ 'app.txt': sides.theirs });
  await scene.remote.commit({ 'app.txt': sides.ours });
}

describe('a landing is judged without the attributes of its trees', () => {
  it.each(['merge=union', 'merge=mine', '-merge', 'binary', 'text', 'ident'])(
    'the merge of files with the attribute %s is EXACT',
    async (attribute) => {
      const ours = text({ nine: 'NINE' });
      await bothSidesChange(attribute, { theirs: text({ two: 'TWO' }), ours });
      await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
      expect((await verdictOf(scene.remote))[0]).toBe('EXACT');
    },
  );

  it('a conflict that the driver `union` decided is not the merge', async () => {
    await bothSidesChange('merge=union', {
      theirs: text({ two: 'two\nTWO' }),
      ours: text().replace('two\n', ''),
    });
    await scene.squash();
    expect((await verdictOf(scene.remote))[0]).not.toBe('EXACT');
  });
});
