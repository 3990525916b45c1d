import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf, wordsOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

const binary = (byte: number) => Buffer.from([0, byte]);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Makes the topic, then others' work, then a squash of the topic as if `main` lacked that work. */
async function landedOnWrongBase(theirs: FileChanges, ours: FileChanges): Promise<[string, ...string[]]> {
  await scene.topic(theirs);
  const base = await scene.remote.head();
  await scene.remote.commit(ours);
  await scene.landOnWrongBase(base);
  const content = await judgeHead(scene.remote);
  if (content.verdict === 'DIVERGENT') expect(content.builtOnCommitId).toBe(base);
  return wordsOf(content);
}

describe('a squash on a wrong base is DIVERGENT and names that base, if the work that it takes back', () => {
  it('is elsewhere', async () => {
    expect(
      await landedOnWrongBase({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ one: 'ONE' }) }),
    ).toEqual(['DIVERGENT target_change_undone', 'undone lib/util.txt:1-1 target']);
  });

  it("is the same line as the review's", async () => {
    expect(
      await landedOnWrongBase({ 'app.txt': text({ two: 'TWO' }) }, { 'app.txt': text({ two: 'zwei' }) }),
    ).toEqual(['DIVERGENT target_change_undone', 'undone app.txt:2-2 target']);
  });

  it("is an insert beside the review's", async () => {
    expect(
      await landedOnWrongBase(
        { 'app.txt': text({ two: 'two\nnew' }) },
        { 'app.txt': text({ two: 'two\nother' }) },
      ),
    ).toEqual(['DIVERGENT target_change_undone', 'undone app.txt:3-3 target']);
  });

  it('is an import', async () => {
    const imports = (...names: string[]) => ({
      'main.ts': `${names.map((name) => `import ${name}\n`).join('')}\ncode\n`,
    });
    await scene.remote.commit(imports('a', 'z'));
    expect(await landedOnWrongBase(imports('a', 'b', 'z'), imports('a', 'c', 'z'))).toEqual([
      'DIVERGENT target_change_undone',
      'undone main.ts:2-2 target',
    ]);
  });

  it('is the end of a changelog', async () => {
    expect(
      await landedOnWrongBase(
        { 'CHANGES.md': '# Changes\n- mine\n' },
        { 'CHANGES.md': '# Changes\n- theirs\n' },
      ),
    ).toEqual(['DIVERGENT target_change_undone', 'undone CHANGES.md:2-2 target']);
  });

  it('is a file that both sides added', async () => {
    expect(await landedOnWrongBase({ new: 'mine\n' }, { new: 'theirs\n' })).toEqual([
      'DIVERGENT target_change_undone',
      'undone new:1-1 target',
    ]);
  });

  it('is a binary file, or a link', async () => {
    await scene.remote.commit({ image: binary(0), link: { symlink: 'app.txt' } });
    expect(await landedOnWrongBase({ image: binary(1) }, { image: binary(2) })).toEqual([
      'DIVERGENT target_change_undone',
      'undone image target',
    ]);
    await scene.remote.switch('main', 'main~2');
    expect(await landedOnWrongBase({ link: { symlink: 'mine' } }, { link: { symlink: 'theirs' } })).toEqual([
      'DIVERGENT target_change_undone',
      'undone link target',
    ]);
  });

  it('is an edit of a file that the review deletes, or a deletion of a file that it edits', async () => {
    expect(await landedOnWrongBase({ 'app.txt': null }, { 'app.txt': text({ two: 'zwei' }) })).toEqual([
      'DIVERGENT target_change_undone',
      'undone app.txt target',
    ]);
    await scene.remote.switch('main', 'main~2');
    expect(await landedOnWrongBase({ 'app.txt': text({ two: 'TWO' }) }, { 'app.txt': null })).toEqual([
      'DIVERGENT target_change_undone',
      'undone app.txt target',
    ]);
  });

  it('is in a file or a folder that the review renames', async () => {
    const renamed = { 'app.txt': null, 'moved.txt': text() };
    expect(await landedOnWrongBase(renamed, { 'app.txt': text({ two: 'zwei' }) })).toEqual([
      'DIVERGENT target_change_undone',
      'undone moved.txt:2-2 target',
    ]);
    await scene.remote.switch('main', 'main~2');
    const folder = { 'lib/util.txt': null, 'src/util.txt': text({ one: 'ONE' }) };
    expect(await landedOnWrongBase(folder, { 'lib/util.txt': text({ nine: 'neun' }) })).toEqual([
      'DIVERGENT target_change_undone',
      'undone src/util.txt:9-9 target',
    ]);
  });

  it('is beside an older conflict that was decided by putting both sides together', async () => {
    await scene.topic({ 'CHANGES.md': '# Changes\n- mine\n', 'app.txt': text({ two: 'TWO' }) });
    const base = await scene.remote.commit({ 'CHANGES.md': '# Changes\n- first\n' });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({
      'CHANGES.md': '# Changes\n- first\n- mine\n',
      'app.txt': text({ two: 'TWO' }),
    });
    const content = await judgeHead(scene.remote);
    expect(wordsOf(content)).toEqual(['DIVERGENT target_change_undone', 'undone app.txt:2-2 target']);
    expect(content).toMatchObject({ builtOnCommitId: base });
  });

  it('is beside an older conflict in the same file that was decided by putting both sides together', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    const base = await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nTWO', nine: 'NINE' }) });
    const content = await judgeHead(scene.remote);
    expect(wordsOf(content)).toEqual(['DIVERGENT target_change_undone', 'undone app.txt:9-9 target']);
    expect(content).toMatchObject({ builtOnCommitId: base });
  });

  it('is below earlier work of the target that landed without a line that the source deletes elsewhere', async () => {
    const body = (name: string, ...lines: string[]) => [
      `function ${name}() {`,
      ...lines,
      '  return;',
      '}',
      '',
    ];
    const main = (...lines: string[]) => ({ 'main.ts': `${lines.join('\n')}\n` });
    const [head, own, others] = [text().split('\n').slice(0, -1), body('own', '  call();'), body('others')];
    const first = body('first', '  step();', '  call();');
    await scene.remote.commit(main(...own, ...head));
    await scene.topic(main(...body('own'), ...head, 'mine'));
    await scene.remote.commit(main(...own, ...head, ...first));
    await scene.remote.commit(main(...own, ...head, ...first, ...others));
    await scene.remote.commit(main(...body('own'), ...head, 'mine', ...body('first', '  step();')));
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toBe('DIVERGENT target_change_undone');
  });

  it('is in a conflict that begins with a line that both sides added', async () => {
    await scene.topic({ 'app.txt': text({ three: 'both\nmine\nthree', five: 'more\nfive' }) });
    await scene.remote.commit({ 'app.txt': text({ three: 'both\nfirst\nthree' }) });
    await scene.remote.commit({ 'app.txt': text({ three: 'both\nfirst\nthree', five: 'fünf' }) });
    const landed = text({ three: 'both\nfirst\nmine\nthree', five: 'more\nfive' });
    await scene.remote.commit({ 'app.txt': landed });
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toBe('DIVERGENT target_change_undone');
  });

  it("is in a conflict whose common lines landed once, before the target's", async () => {
    const without = (content: string, ...lines: string[]) =>
      lines.reduce((left, line) => left.replace(`${line}\n`, ''), content);
    await scene.topic({ 'app.txt': without(text(), 'one', 'five') });
    await scene.remote.commit({ 'app.txt': text({ one: 'eins', six: 'sechs' }) });
    await scene.remote.commit({ 'app.txt': text({ one: 'eins\nnew', six: 'sechs' }) });
    await scene.remote.commit({
      'app.txt': without(text({ six: 'six\neins\nsechs' }), 'one', 'five'),
    });
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toBe('DIVERGENT target_change_undone');
  });

  it('is a rename of a file that the review edits', async () => {
    expect(
      await landedOnWrongBase(
        { 'app.txt': text({ two: 'TWO' }) },
        { 'app.txt': null, 'moved.txt': text({ nine: 'neun' }) },
      ),
    ).toEqual(['DIVERGENT target_change_undone', 'undone moved.txt target', 'extra app.txt landed']);
  });

  it('is a deletion of a file that the review renames', async () => {
    await scene.topic({ 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) });
    const base = await scene.remote.commit({ 'app.txt': text({ nine: 'neun' }) });
    await scene.remote.commit({ 'app.txt': null });
    await scene.landOnWrongBase(base);
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT target_change_undone',
      'undone moved.txt target',
    ]);
  });

  it('was made with the rename of a file that the review renames to the same path', async () => {
    await scene.topic({ 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text({ two: 'deux' }) });
    await scene.remote.commit({ 'moved.txt': text({ two: 'zwei\nTWO' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT target_change_undone',
      'undone moved.txt:2-2 target',
    ]);
  });

  it('is a new file in a folder that the review renames', async () => {
    const folder = { 'lib/util.txt': null, 'src/util.txt': text() };
    expect(await landedOnWrongBase(folder, { 'lib/other.txt': 'other\n' })).toEqual([
      'DIVERGENT target_change_undone',
      'undone lib/other.txt target',
    ]);
  });

  it('is a line that was changed when the review below in the stack landed', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    const base = await scene.remote.head();
    // The first review lands with a line that was asked for at the last moment. The second one lands on its old base.
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO, tested' }) });
    await scene.landOnWrongBase(base);
    expect(await judgeHead(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
      builtOnCommitId: base,
      findings: [{ path: 'app.txt' }],
    });
  });

  it('is in a commit that renames the same folder as the review', async () => {
    const moved = { 'lib/util.txt': null, 'src/util.txt': text() };
    await scene.topic({ ...moved, 'app.txt': text({ two: 'TWO' }) });
    const base = await scene.remote.commit({ other: 'other\n' });
    await scene.remote.commit({ ...moved, 'app.txt': text({ two: 'zwei' }) });
    await scene.landOnWrongBase(base);
    expect(await judgeHead(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
      builtOnCommitId: base,
      findings: [{ path: 'app.txt' }],
    });
  });

  it('is in a commit that renames the same folder as the review, which also edits a file in it', async () => {
    const moved = (util: string) => ({ 'lib/util.txt': null, 'src/util.txt': util });
    await scene.topic({ ...moved(text({ nine: 'NINE' })), 'app.txt': text({ two: 'TWO' }) });
    const base = await scene.remote.head();
    await scene.remote.commit({ ...moved(text()), 'app.txt': text({ two: 'zwei' }) });
    await scene.landOnWrongBase(base);
    expect(await judgeHead(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
      builtOnCommitId: base,
      findings: [{ path: 'app.txt' }],
    });
  });

  it("is in a commit that also makes the review's change to files that the target changed before", async () => {
    const tool = (content: string) => ({ tool: { executable: content } });
    await scene.remote.commit({ tool: text() });
    await scene.topic({
      'lib/util.txt': text({ nine: 'NINE' }),
      ...tool(text()),
      'app.txt': text({ two: 'TWO' }),
    });
    const base = await scene.remote.commit({
      'lib/util.txt': text({ one: 'eins' }),
      tool: text({ one: 'eins' }),
    });
    await scene.remote.commit({
      'lib/util.txt': text({ one: 'eins', nine: 'NINE' }),
      ...tool(text({ one: 'eins' })),
      'app.txt': text({ two: 'zwei' }),
    });
    await scene.landOnWrongBase(base);
    expect(await judgeHead(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
      builtOnCommitId: base,
      findings: [{ path: 'app.txt' }],
    });
  });

  it('is in the commit that squashed the review below in the stack', async () => {
    const first = { 'lib/util.txt': text({ nine: 'NINE' }), new: 'new\n' };
    await scene.topic(first, { 'app.txt': text({ two: 'TWO' }) });
    const base = await scene.remote.head();
    await scene.remote.commit({ ...first, 'app.txt': text({ two: 'zwei' }) });
    await scene.landOnWrongBase(base);
    expect(await judgeHead(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
      builtOnCommitId: base,
      findings: [{ path: 'app.txt' }],
    });
  });

  it('is in more than 256 commits', async () => {
    const file = (two: string) => ({ parents: [0], date: 1e9, files: { 'app.txt': text({ two }) } });
    const others = Array.from({ length: 300 }, (_, index) => ({
      ...file(`zwei ${index}`),
      parents: [index],
    }));
    const commits = [{ ...file('two'), parents: [] }, ...others, file('TWO')];
    const [base] = await scene.remote.import(commits, { landed: others.length, topic: others.length + 1 });
    await scene.remote.switch('landed');
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    expect(await judgeHead(scene.remote)).toMatchObject({ verdict: 'DIVERGENT', builtOnCommitId: base });
  });

  it('was made on a branch that the target merged', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.switch('feature', 'main');
    const base = await scene.remote.commit({ feature: 'f\n' });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.switch('main');
    await scene.remote.merge('feature');
    await scene.landOnWrongBase(base);
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT target_change_undone');
  });

  it('is in part older than the merge base', async () => {
    const base = await scene.remote.head();
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE' }) });
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ other: 'other\n' });
    const patch = ['merge-tree', '--write-tree', '--merge-base', 'topic~1', base, 'topic'];
    const tree = await scene.remote.git(...patch).catch(() => undefined);
    // git before 2.40 takes no merge base, so the merge is made by hand.
    await scene.remote.switch('old', base);
    await scene.remote.cherryPick('topic');
    const made = tree ?? (await scene.remote.git('rev-parse', 'HEAD^{tree}'));
    await scene.remote.switch('main');
    await scene.landTree(made);
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT target_change_undone',
      'undone other target',
      'altered lib/util.txt:1-1 landed',
    ]);
  });
});

describe('a base older than the merge base, in a conflict', () => {
  const target = { 'app.txt': text({ four: '', five: '', six: '', seven: '' }) };

  beforeEach(async () => {
    await scene.remote.commit({ 'app.txt': text({ five: 'fünf' }) });
    await scene.topic({ 'app.txt': text({ five: 'fünf', seven: 'seven\nmine' }) });
    await scene.remote.commit(target);
  });

  it('is recognized by the lines that the target had replaced before', async () => {
    await scene.remote.commit({ 'app.txt': text({ seven: 'seven\nmine' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT target_change_undone',
      'undone app.txt:4-7 target',
    ]);
  });

  it('is recognized if the conflict came with other lines too', async () => {
    await scene.remote.commit({ 'app.txt': text({ seven: 'seven\nmine' }), other: 'other\n' });
    expect((await verdictOf(scene.remote))[0]).toMatch(/^DIVERGENT/);
  });

  it("is recognized if the target had changed the source's other files before as well", async () => {
    const file = 'lib/util.txt';
    await scene.remote.switch('main', 'main~2');
    await scene.remote.commit({ [file]: text({ two: 'zwei' }), 'app.txt': text({ five: 'fünf' }) });
    await scene.remote.switch('topic', 'main');
    await scene.remote.commit({
      [file]: text({ two: 'zwei', three: 'mine' }),
      'app.txt': text({ five: 'mine' }),
    });
    await scene.remote.switch('main');
    await scene.remote.commit({ 'app.txt': text({ five: 'cinq' }) });
    await scene.remote.commit({
      [file]: text({ two: 'zwei', three: 'mine' }),
      'app.txt': text({ five: 'mine\nfive' }),
    });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT target_change_undone');
  });

  it('is none if a person wrote other lines there', async () => {
    await scene.remote.commit({ 'app.txt': text({ five: 'cinq', seven: 'seven\nmine' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });
});

describe('a conflict decided by hand for one side', () => {
  it("is no wrong base, if the target's other work is there", async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }), other: 'other\n' });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it('is no wrong base, if the target since then only made a change that the review makes as well', async () => {
    const util = { 'lib/util.txt': text({ nine: 'NINE' }) };
    await scene.topic({ ...util, 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit(util);
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nTWO' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it('is no wrong base, if the target changed the place twice and other lines were written there', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'deux' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'both' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it('is no wrong base, if the file landed at the path to which the target renamed it since', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'moved.txt': text({ two: 'TWO' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it("is no wrong base, if the review renames a file and others' changes to it landed at its new path", async () => {
    await scene.topic({ 'CHANGES.md': 'mine\n', 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'CHANGES.md': 'theirs\n' });
    await scene.remote.commit({ 'CHANGES.md': 'theirs, and more\n', 'app.txt': text({ nine: 'neun' }) });
    const moved = { 'app.txt': null, 'moved.txt': text({ two: 'TWO', nine: 'neun' }) };
    await scene.remote.commit({ 'CHANGES.md': 'mine\n', ...moved });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it('is a wrong base, if the whole landing was made on an older commit of the target', async () => {
    await scene.topic({ 'CHANGES.md': '# Changes\n- mine\n' });
    await scene.remote.commit({ 'CHANGES.md': '# Changes\n- first\n', other: 'other\n' });
    await scene.remote.commit({ 'CHANGES.md': '# Changes\n- first\n- second\n' });
    await scene.remote.commit({ 'CHANGES.md': '# Changes\n- first\n- mine\n' });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT target_change_undone',
      'undone CHANGES.md:2-3 target',
    ]);
  });
});
