import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, wordsOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Makes the topic, then others' work, then a squash of the topic as if `main` lacked that work. */
async function landOnWrongBase(theirs: FileChanges, ours: FileChanges): Promise<[string, ...string[]]> {
  await scene.topic(theirs);
  const base = await scene.remote.head();
  await scene.remote.commit(ours);
  await scene.landOnWrongBase(base);
  const content = await judgeHead(scene.remote);
  expect(content).toMatchObject({ builtOnCommitId: base });
  return wordsOf(content);
}

const review = { 'app.txt': text({ two: 'TWO' }) };
const moved = { 'app.txt': null, 'moved.txt': text() };
const folder = { 'lib/util.txt': null, 'src/util.txt': text() };

describe('a squash on a wrong base is DIVERGENT, with that base and the place, if it takes back', () => {
  it.each<[string, FileChanges, FileChanges, string]>([
    ["others' lines", review, { 'lib/util.txt': text({ one: 'ONE' }) }, 'undone lib/util.txt:1-1 target'],
    [
      "others' lines in its own file",
      review,
      { 'app.txt': text({ nine: 'neun' }) },
      'undone app.txt:9-9 target',
    ],
    ["others' file", review, { new: 'new\n' }, 'undone new target'],
    ["others' deletion", review, { 'CHANGES.md': null }, 'undone CHANGES.md target'],
    ["others' mode", review, { 'lib/util.txt': { executable: text() } }, 'undone lib/util.txt target'],
    [
      "others' edit of a file that it moves",
      moved,
      { 'app.txt': text({ two: '2' }) },
      'undone moved.txt:2-2 target',
    ],
    ["others' file in a folder that it moves", folder, { 'lib/new.txt': 'n\n' }, 'undone lib/new.txt target'],
  ])('%s', async (_, theirs, ours, place) => {
    const [verdict, ...places] = await landOnWrongBase(theirs, ours);
    expect(verdict).toBe('DIVERGENT target_change_undone');
    expect(places).toContain(place);
  });
});

it("the base is named as well if others' move of the file is taken back", async () => {
  const others = { 'app.txt': null, 'moved.txt': text({ nine: 'neun' }) };
  const [verdict, ...places] = await landOnWrongBase(review, others);
  expect(verdict).toMatch(/^DIVERGENT/);
  expect(places).toContain('extra app.txt landed');
});

describe('a squash on a wrong base is BY_HAND, with that base and the place, if it takes back', () => {
  it.each<[string, FileChanges, FileChanges, string]>([
    [
      "others' change to its own line",
      review,
      { 'app.txt': text({ two: 'zwei' }) },
      'by_hand app.txt:2-2 landed',
    ],
    [
      "others' addition at the place of its own",
      { 'CHANGES.md': '# Changes\n- mine\n' },
      { 'CHANGES.md': '# Changes\n- first\n' },
      'by_hand CHANGES.md:2-2 landed',
    ],
    ["others' deletion of its file", review, { 'app.txt': null }, 'by_hand app.txt'],
    ["others' file of the same name", { new: 'mine\n' }, { new: 'theirs\n' }, 'by_hand new:1-1 landed'],
  ])('%s', async (_, theirs, ours, place) => {
    expect(await landOnWrongBase(theirs, ours)).toEqual(['BY_HAND conflict_resolved', place]);
  });
});

it('a base is found by the files that are undone, however old it is', async () => {
  await scene.topic(review);
  const base = await scene.remote.head();
  for (let commit = 0; commit < 20; commit += 1) await scene.remote.commit({ other: `${commit}\n` });
  await scene.landOnWrongBase(base);
  expect(await judgeHead(scene.remote)).toMatchObject({ verdict: 'DIVERGENT', builtOnCommitId: base });
});
