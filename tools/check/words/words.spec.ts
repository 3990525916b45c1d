import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { examine, LEFT_OUT } from './repository.mjs';
import { forbiddenWords } from './words.mjs';

describe('a text', () => {
  it.each([
    ['// The log tells why.', ['tells']],
    ['const told = 1;', ['told']],
    ["it('Telling it', run);", ['Telling']],
    ['It starts anew, at nought.', ['anew', 'nought']],
    ['The key is none of ours.', ['none of ours']],
    ['/**\n * The key is none\n * of ours.\n */', ['none of ours']],
    ['-- It is none of\n  -- ours.', ['none of ours']],
    ['A storyteller renews intolerable tellers.', []],
    ['None of the keys is ours.', []],
  ])('is searched for forbidden words: %j', (text, expected) => {
    expect(forbiddenWords(text).map(({ found }) => found)).toEqual(expected);
  });

  it('yields the line of a word, and the plain word', () => {
    expect(forbiddenWords('a\nb\nto start anew\n')).toEqual([{ line: 3, found: 'anew', plain: 'again' }]);
  });
});

describe('a repository', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'plat-words-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  it('is searched in code, SQL and documents, with file, line and plain word', () => {
    write('apps/x/a.ts', '\n// anew');
    write('libs/x/a.sql', '-- anew');
    write('README.md', 'anew');
    expect(examine(root)).toEqual({
      faults: ['README.md:1', 'apps/x/a.ts:2', 'libs/x/a.sql:1'].map((at) => `${at}: "anew"; write again`),
      files: 3,
    });
  });

  it('is not searched in generated files, nor in the paths that are left out', () => {
    write('libs/x/generated/a.ts', '// anew');
    for (const path of Object.keys(LEFT_OUT)) write(path.includes('.') ? path : `${path}/a.ts`, '// anew');
    expect(examine(root)).toEqual({ faults: [], files: 0 });
  });

  it('is searched beside a path that is left out', () => {
    const [folder] = Object.keys(LEFT_OUT);
    write(`${folder}-beside/a.ts`, '// anew');
    expect(examine(root).faults).toHaveLength(1);
  });
});

it('leaves out only paths that exist', () => {
  const repository = join(__dirname, '..', '..', '..');
  expect(Object.keys(LEFT_OUT).filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});
