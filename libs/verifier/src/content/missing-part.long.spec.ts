import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

const binary = (byte: number) => Buffer.from([0, byte]);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

/** Makes a topic of some commits and others' work, lands the given changes, and returns the verdict. */
async function judgeLanding(
  commits: FileChanges[],
  others: FileChanges,
  landing: FileChanges,
): Promise<[string, ...string[]]> {
  await scene.topic(...commits);
  await scene.remote.commit(others);
  await scene.remote.commit(landing);
  return verdictOf(scene.remote);
}

describe('a missing part of the source is DIVERGENT, with its lines', () => {
  const first = { 'app.txt': text({ two: 'TWO' }) };
  const second = { 'app.txt': text({ two: 'TWO', eleven: 'ELEVEN' }), new: 'new\n' };

  it('if the first commit alone landed', async () => {
    expect(await judgeLanding([first, second], { other: 'other\n' }, first)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:11-11 source',
      'missing new source',
    ]);
  });

  it('next to a decided conflict', async () => {
    const others = { 'app.txt': text({ two: 'zwei' }) };
    expect(
      await judgeLanding([first, second], others, { 'app.txt': text({ two: 'TWO and zwei' }), new: 'new\n' }),
    ).toEqual(['DIVERGENT source_change_missing', 'missing app.txt:11-11 source']);
  });

  it('if a conflict was decided for the target alone', async () => {
    const others = { 'app.txt': text({ two: 'zwei' }) };
    const landing = { 'app.txt': text({ two: 'zwei', eleven: 'ELEVEN' }), new: 'new\n' };
    expect(await judgeLanding([first, second], others, landing)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
    ]);
  });

  it('if it deletes lines directly above those that an earlier commit of it added', async () => {
    const inserted = { 'app.txt': text({ two: 'two\nnew' }) };
    const deleted = { 'app.txt': text({ two: 'two\nnew' }).replace('one\ntwo\n', '') };
    expect(await judgeLanding([inserted, { new: 'new\n' }, deleted], inserted, { new: 'new\n' })).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:1-1 source',
    ]);
  });

  it.each([
    ['deletes lines', ['old', 'older', '  }', '}']],
    ['replaces lines', ['old', 'older', '  }', 'new', '}']],
  ])('if it %s between repeated ones, above which the target deletes lines', async (_, source) => {
    const lines = (...between: string[]) => ({
      'app.txt': ['head', ...between, 'tail'].map((line) => `${line}\n`).join(''),
    });
    await scene.remote.commit(lines('old', 'older', '  }', '', '  close() {', '  }', '}'));
    const target = lines('', '  close() {', '  }', '}');
    const both = { ...target, new: 'new\n' };
    const [verdict] = await judgeLanding([{ new: 'new\n' }, lines(...source)], target, both);
    expect(verdict).toBe('DIVERGENT source_change_missing');
  });

  it('if it is a deletion that did not land', async () => {
    const deletion = { 'app.txt': null };
    const others = { 'app.txt': text({ two: 'zwei' }), other: 'other\n' };
    expect(await judgeLanding([{ new: 'new\n' }, deletion], others, { new: 'new\n' })).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt source',
    ]);
  });

  it('if all conflicts were decided for the target', async () => {
    expect(await judgeLanding([first], { 'app.txt': text({ two: 'zwei' }) }, {})).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
    ]);
  });
});

describe('a rename does not excuse missing content', () => {
  const edited = { 'app.txt': text({ five: 'FIVE' }) };

  it("if all conflicts of a file were decided for the target, whose repeated lines may stand in the source's places", async () => {
    const body = (name: string, step: number) =>
      `function ${name}() {\n  step_${step}();\n  call(5);\n  return;\n}\n\n`;
    const head = 'head\n  else {\n';
    await scene.remote.commit({ 'main.ts': `${head}import\n` });
    const source = { new: 'new\n', 'main.ts': `${head}${body('alpha', 16)}import\n` };
    const others = { 'main.ts': `${head}${body('alpha', 11)}${body('omega', 8)}` };
    expect(await judgeLanding([{ new: 'new\n' }, source], others, { new: 'new\n' })).toEqual([
      'DIVERGENT source_change_missing',
      'missing main.ts:4-4 source',
      'missing main.ts:9-9 source',
    ]);
  });

  it('if a line of an added file was left out, next to a deletion of a file that others edited', async () => {
    const source = { 'app.txt': null, 'new.txt': 'one\ntwo\nthree\n' };
    expect(await judgeLanding([source], edited, { 'app.txt': null, 'new.txt': 'one\nthree\n' })).toEqual([
      'DIVERGENT source_change_missing',
      'missing new.txt:2-2 source',
    ]);
  });

  it('if an added binary file landed as another one, next to a deletion of a file that others edited', async () => {
    await scene.remote.commit({ image: binary(0) });
    const source = { image: null, 'new.bin': binary(1) };
    const landing = { image: null, 'new.bin': binary(2) };
    const [verdict] = await judgeLanding([source], { image: binary(3) }, landing);
    expect(verdict).toBe('DIVERGENT source_change_missing');
  });

  it('if the file keeps too little for git to see the rename, and one of its own lines was left out', async () => {
    const rewritten = Array.from({ length: 30 }, (_, line) => `rewritten line ${line}\n`);
    const moved = { 'app.txt': null, 'moved.txt': [text(), ...rewritten].join('') };
    const kept = [text({ five: 'FIVE' }), ...rewritten.slice(1)].join('');
    const [verdict] = await judgeLanding([moved], edited, { 'app.txt': null, 'moved.txt': kept });
    expect(verdict).toBe('DIVERGENT source_change_missing');
  });
});

describe('content that the target has as well is not missing', () => {
  it('if the target added the same line and another one', async () => {
    const imports = (...names: string[]) => ({
      'main.ts': `${names.map((name) => `import ${name}\n`).join('')}\ncode\n`,
    });
    await scene.remote.commit(imports('a', 'z'));
    const source = { ...imports('a', 'b', 'z'), new: 'new\n' };
    expect(await judgeLanding([source], imports('a', 'b', 'c', 'z'), { new: 'new\n' })).toEqual([
      'BY_HAND conflict_resolved',
      'by_hand main.ts:3-3 landed',
    ]);
  });
});
