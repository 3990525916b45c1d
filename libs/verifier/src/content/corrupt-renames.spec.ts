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

  it('lands where the source has it', async () =>
    expect(await verdict({ source, others: movedFolder, landed: source })).toEqual(['EXACT']));

  it.each(['src/new.txt', 'docs/new.txt', 'src/more/new.txt', 'new.txt'])(
    'may not land at %s',
    async (path) => {
      await scene.remote.commit({ 'docs/readme': 'r\n' });
      const [found, ...places] = await verdict({ source, others: movedFolder, landed: { [path]: 'new\n' } });
      expect(found).toMatch(/^DIVERGENT/);
      expect(places).toContain(`extra ${path} landed`);
    },
  );
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

describe('a file that both sides moved', () => {
  const [lib, src] = [
    { 'app.txt': null, 'lib/app.txt': text() },
    { 'app.txt': null, 'src/app.txt': text() },
  ];

  it('is BY_HAND, with its paths, if it landed where the source moved it', async () =>
    expect(
      await verdict({ source: src, others: lib, landed: { 'lib/app.txt': null, 'src/app.txt': text() } }),
    ).toEqual([
      'BY_HAND conflict_resolved',
      'by_hand app.txt',
      'by_hand lib/app.txt',
      'by_hand src/app.txt',
    ]));

  it('is DIVERGENT if it landed where the target moved it', async () =>
    expect((await verdict({ source: src, others: lib, landed: { more: 'm\n' } }))[0]).toBe(
      'DIVERGENT source_change_missing',
    ));
});

describe('a file that one side moved and the other one deleted', () => {
  const [moved, deleted] = [{ 'app.txt': null, 'moved.txt': text() }, { 'app.txt': null }];

  it.each([
    ['BY_HAND', 'the source moved it, and it is there', moved, deleted, { 'moved.txt': text() }],
    ['DIVERGENT', 'the source moved it, and it is not there', moved, deleted, { more: 'm\n' }],
    ['BY_HAND', 'the source deleted it, and it is gone', deleted, moved, { 'moved.txt': null }],
    ['DIVERGENT', 'the source deleted it, and it is there', deleted, moved, { more: 'm\n' }],
  ])('is %s if %s', async (expected, _what, source, others, landed) => {
    expect((await verdict({ source, others, landed }))[0]).toMatch(new RegExp(`^${expected}`));
  });
});
