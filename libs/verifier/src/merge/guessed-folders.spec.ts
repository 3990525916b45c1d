import { type FileChanges, LandingScene } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Forty lines, of which the first ones are changed. */
const file = (changed: number, word: string): string =>
  Array.from({ length: 40 }, (_, line) => `${line < changed ? word : 'line'} number ${line}\n`).join('');
const withTopic = (text: string): string => text.replace('line number 39', 'TOPIC');

const TWO = { one: '1 text\n', two: '2 text\n' };
/** The same files in a folder. */
const inFolder = (folder: string, files: Record<string, string>): FileChanges =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}${name}`, text]));
const GONE = { 'a/index': null, 'e/index': null };
const WITHOUT_TWO = { 'a/one': null, 'a/two': null };

/** Moves two files of one name, of which the topic edits one. git may guess by their folders which became which. */
async function moveAside(base: FileChanges, target: FileChanges): Promise<void> {
  const indices = { 'a/index': file(0, ''), 'e/index': 'other\ncontent\n' };
  await scene.remote.commit({ ...indices, ...base });
  await scene.topic({ 'a/index': withTopic(file(0, '')) });
  await scene.remote.commit({ ...GONE, ...target });
}

describe("a file whose name is not unique is found where git finds it: git's merge is EXACT", () => {
  it.each<[string, string, FileChanges, FileChanges]>([
    [
      'in the folder to which the others of its folder moved',
      'c/index',
      inFolder('a/', TWO),
      { ...WITHOUT_TWO, ...inFolder('c/', TWO), 'c/index': file(6, 'changed'), 'd/index': file(1, 'x') },
    ],
    [
      'in the likest file if its folder keeps a file',
      'd/index',
      { ...inFolder('a/', TWO), 'a/stay': 'stays\n' },
      { ...WITHOUT_TWO, ...inFolder('c/', TWO), 'c/index': file(6, 'changed'), 'd/index': file(1, 'x') },
    ],
    [
      'in the likest file if the others moved to the root',
      'd/index',
      inFolder('a/', TWO),
      { ...WITHOUT_TWO, ...TWO, index: file(6, 'changed'), 'd/index': file(1, 'x') },
    ],
    [
      'in the likest file if only a folder below moved',
      'd/index',
      inFolder('a/b/', TWO),
      {
        ...{ 'a/b/one': null, 'a/b/two': null },
        ...inFolder('c/b/', TWO),
        ...{ 'c/index': file(6, 'changed'), 'd/index': file(1, 'x') },
      },
    ],
  ])('%s', async (_, path, base, target) => {
    await moveAside(base, target);
    await scene.landTree((await scene.remote.mergeTree('main', 'topic')).tree);
    expect(await scene.remote.git('show', `HEAD:${path}`)).toContain('TOPIC');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
  });

  it('and the edit in another file is DIVERGENT', async () => {
    await moveAside(
      { ...inFolder('a/', TWO), 'a/stay': 'stays\n' },
      { ...WITHOUT_TWO, ...inFolder('c/', TWO), 'c/index': file(6, 'changed'), 'd/index': file(1, 'x') },
    );
    await scene.remote.commit({ 'c/index': withTopic(file(6, 'changed')) });
    expect((await verdictOf(scene.remote))[0]).toMatch(/^DIVERGENT/);
  });

  it('and is UNKNOWN if the others moved to two folders alike: git takes one by the order of a hash table', async () => {
    await moveAside(inFolder('a/', TWO), {
      ...WITHOUT_TWO,
      ...{ 'b/one': TWO.one, 'c/two': TWO.two },
      ...{ 'b/index': file(1, 'x'), 'c/index': file(6, 'changed') },
    });
    await scene.landTree((await scene.remote.mergeTree('main', 'topic')).tree);
    expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN too_tangled']);
  });
});
