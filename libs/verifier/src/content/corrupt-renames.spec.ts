import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

interface Case {
  source: FileChanges;
  others: FileChanges;
  landed: FileChanges;
}

async function verdict({ source, others, landed }: Case): Promise<string[]> {
  await scene.topic(source);
  await scene.remote.commit(others);
  await scene.remote.commit(landed);
  return verdictOf(scene.remote);
}

const movedFolder = { 'lib/util.txt': null, 'src/util.txt': text() };

describe('a file that the source added to a folder which others moved', () => {
  const source = { 'lib/new.txt': 'new\n' };

  it('may land in the moved folder', async () =>
    expect(await verdict({ source, others: movedFolder, landed: { 'src/new.txt': 'new\n' } })).toEqual([
      'SAME_CHANGE rename',
    ]));

  it('may land in a folder below the moved one', async () =>
    expect(
      await verdict({
        source: { 'lib/deep/new.txt': 'new\n' },
        others: movedFolder,
        landed: { 'src/deep/new.txt': 'new\n' },
      }),
    ).toEqual(['SAME_CHANGE rename']));

  it.each(['docs/new.txt', 'src/more/new.txt', 'new.txt'])('may not land at %s', async (path) => {
    await scene.remote.commit({ 'docs/readme': 'r\n' });
    const [found, ...places] = await verdict({ source, others: movedFolder, landed: { [path]: 'new\n' } });
    expect(found).toMatch(/^DIVERGENT/);
    expect(places).toContain(`extra ${path} landed`);
  });
});

describe('two equal files that the source added to folders which others moved', () => {
  beforeEach(() => scene.remote.commit({ 'lib/a/index.txt': 'a\n', 'lib/b/index.txt': 'b\n' }));
  const source = { 'lib/a/new.txt': 'new\n', 'lib/b/new.txt': 'new\n' };
  const others = {
    ...{ 'lib/a/index.txt': null, 'src/a/index.txt': 'a\n' },
    ...{ 'lib/b/index.txt': null, 'src/b/index.txt': 'b\n' },
  };

  it('may land in the moved folders', async () => {
    const landed = { 'src/a/new.txt': 'new\n', 'src/b/new.txt': 'new\n' };
    expect(await verdict({ source, others, landed })).toEqual(['SAME_CHANGE rename']);
  });

  it('are DIVERGENT if only one of them landed', async () => {
    const [found, ...places] = await verdict({ source, others, landed: { 'src/a/new.txt': 'new\n' } });
    expect(found).toBe('DIVERGENT source_change_missing');
    expect(places).toContain('missing lib/b/new.txt source');
  });
});

it('a folder is not moved if only one name of many is in the other folder', async () => {
  const names = ['index', 'one', 'two', 'three'].map((name) => `lib/${name}.txt`);
  await scene.remote.commit(Object.fromEntries(names.map((path) => [path, `${path}\n`])));
  const others = {
    ...Object.fromEntries([...names, 'lib/util.txt'].map((path) => [path, null])),
    'src/index.txt': 'another\n',
  };
  const landed = { 'src/new.txt': 'new\n' };
  const [found, ...places] = await verdict({ source: { 'lib/new.txt': 'new\n' }, others, landed });
  expect(found).toBe('DIVERGENT source_change_missing');
  expect(places).toContain('extra src/new.txt landed');
});

describe('a file that one side moved and the other one edited', () => {
  const moved = { 'app.txt': null, 'moved.txt': text() };
  const edited = { 'app.txt': text({ five: 'FIVE' }) };

  it("is DIVERGENT if it landed without others' edit, whose file was restored", async () =>
    expect(await verdict({ source: moved, others: edited, landed: { 'moved.txt': text() } })).toEqual([
      'DIVERGENT target_change_undone',
      'undone moved.txt:5-5 target',
      'extra app.txt landed',
    ]));

  it("is DIVERGENT if it landed without the source's edit, which came back at the old path", async () => {
    const [found] = await verdict({ source: edited, others: moved, landed: edited });
    expect(found).toBe('DIVERGENT source_change_missing');
  });

  it('is DIVERGENT if the edit landed in a file that has nothing of it', async () => {
    const others = { 'app.txt': null, 'notes.txt': 'notes\nmore\n' };
    const [found] = await verdict({ source: edited, others, landed: { 'notes.txt': 'notes\nFIVE\nmore\n' } });
    expect(found).toMatch(/^DIVERGENT/);
  });
});
