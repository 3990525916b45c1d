import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { densitiesOf, longSubjects } from './densities.mjs';
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

describe('the product', () => {
  const placesOf = (text: string, path = 'apps/x/src/a.ts') =>
    densitiesOf([{ path, text }]).map(({ places }) => places.length);

  it.each([
    ['async function landed() {}', [1, 0, 0, 0]],
    ['  private async takenUp<T>() {}', [1, 0, 0, 0]],
    ['const waiting = async () => {};', [1, 0, 0, 0]],
    ['async function readLanded() {}\nasync function feed() {}\nasync function find() {}', [0, 0, 0, 0]],
    ['/** What it does. */', [0, 1, 0, 0]],
    ['// Of the two, one.\n// Whose it is.', [0, 2, 0, 0]],
    ['/** It is what it does, by and by. */', [0, 0, 0, 0]],
    ["const text = 'It stands beside the file.';", [0, 0, 1, 0]],
    ['// Nobody and somebody wait for anybody.', [0, 0, 0, 3]],
  ])('is searched for habits of a text: %j', (text, expected) => {
    expect(placesOf(`${text}\n`)).toEqual(expected);
  });

  it.each(['apps/x/src/a.spec.ts', 'libs/testing/src/a.ts', 'apps/x/src/black-box/a.ts', 'tools/a.ts'])(
    'does not include %s',
    (path) => expect(placesOf('/** What it is. */\n', path)).toEqual([0, 0, 0, 0]),
  );

  it('yields the density in 10,000 lines, and the places', () => {
    const text = `${'\n'.repeat(4_999)}// What it is.\n`;
    expect(densitiesOf([{ path: 'libs/x/src/a.ts', text }])[1]).toMatchObject({
      density: 2,
      places: ['libs/x/src/a.ts:5000'],
    });
  });
});

it('a subject of a commit has 60 characters at most', () => {
  const reverted = `Revert "${'c'.repeat(60)}"`;
  expect(longSubjects(['a'.repeat(60), 'b'.repeat(61), reverted])).toEqual(['b'.repeat(61)]);
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

  it('fails by a habit that is too frequent', () => {
    write('apps/x/src/a.ts', '/** What it is. */\n');
    expect(examine(root).faults).toEqual([
      'comments that begin with What, Of, By or Whose: 10000.00 in 10,000 lines of the product, at most 0.1:',
      'apps/x/src/a.ts:1',
    ]);
  });

  it('is searched next to a path that is left out', () => {
    const [folder] = Object.keys(LEFT_OUT);
    write(`${folder}-beside/a.ts`, '// anew');
    expect(examine(root).faults).toHaveLength(1);
  });
});

it('leaves out only paths that exist', () => {
  const repository = join(__dirname, '..', '..', '..');
  expect(Object.keys(LEFT_OUT).filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});
