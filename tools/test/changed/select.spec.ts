import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gitIn } from './git-changes.mjs';
import { selectSpecs } from './select.mjs';

/** A repository of two libs and an app, whose specs reach each other's sources in each way that a spec can. */
const FILES: Record<string, string> = {
  'tsconfig.base.json': JSON.stringify({
    compilerOptions: { paths: { '@x/words': ['./libs/words/index.ts'] } },
  }),
  'libs/words/index.ts': "export { greet } from './greet';\nexport * from './part';\n",
  'libs/words/greet.ts': "import { name } from './name';\nexport const greet = () => `hello ${name}`;\n",
  'libs/words/name.ts': "export const name = 'world';\n",
  'libs/words/part.ts': "export function part() {\n  return 'goodbye to all of you';\n}\n",
  'libs/words/greet.spec.ts': "import { greet } from './greet';\n",
  'libs/words/part.spec.ts': "import {\n  part,\n} from '@x/words';\n",
  'libs/words/types.spec.ts': "import type { greet } from './greet';\nimport { type part } from './part';\n",
  'apps/run/main.ts': "const late = () => import('./late');\nlate();\n",
  'apps/run/late.ts': "import { greet } from '@x/words';\nexport const late = greet;\n",
  'apps/run/start.ts': '/** @paths apps/run/main.ts */\nexport const start = 1;\n',
  'apps/run/start.spec.ts': "import { start } from './start';\n",
  'apps/run/page.spec.ts': "readFileSync(join(root, 'docs', 'page.md'));\n",
  'apps/run/golden.spec.ts': "readdirSync(join(__dirname, './golden/cases'));\n",
  'apps/run/golden/cases/one.yaml': 'one: 1\n',
  'apps/run/quote.spec.ts': "expect(stdout).toBe('goodbye to all of you');\n",
  'docs/page.md': 'A page.\n',
  'docs/other.md': 'Another.\n',
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plat-changed-'));
  await write(FILES);
  const git = gitIn(root);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('switch', '-q', '-c', 'work');
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

const select = (options: Partial<Parameters<typeof selectSpecs>[0]> = {}) =>
  selectSpecs({ root, secondsMax: Infinity, isRun: () => true, ...options });
const running = (options?: Parameters<typeof select>[0]) => select(options).running.map(({ file }) => file);

describe('a change touches', () => {
  it.each([
    ['an imported file', 'libs/words/part.ts', ['libs/words/part.spec.ts']],
    ['a file that a program imports late', 'apps/run/late.ts', ['apps/run/start.spec.ts']],
    [
      'a file imported by another, nearest first',
      'libs/words/name.ts',
      ['libs/words/greet.spec.ts', 'apps/run/start.spec.ts'],
    ],
    ['a page', 'docs/page.md', ['apps/run/page.spec.ts']],
    ['a file in a folder that is read', 'apps/run/golden/cases/one.yaml', ['apps/run/golden.spec.ts']],
    ['a new file in it', 'apps/run/golden/cases/two.yaml', ['apps/run/golden.spec.ts']],
    ['a spec', 'libs/words/types.spec.ts', ['libs/words/types.spec.ts']],
  ])('the specs of %s', async (_what, file, specs) => {
    await write({
      [file]: `${FILES[file] ?? ''}
`,
    });
    const selection = select();
    expect(selection).toMatchObject({ changed: [file], unread: [], left: [] });
    expect(selection.running.map((spec) => spec.file)).toEqual(specs);
  });

  it('no spec that only takes another name from the same index', async () => {
    await write({ 'libs/words/greet.ts': 'export const greet = () => 1;\n' });
    expect(running()).toEqual(['libs/words/greet.spec.ts', 'apps/run/start.spec.ts']);
  });

  it('what is committed on the branch as well', async () => {
    await write({ 'docs/page.md': 'Changed.\n' });
    gitIn(root)('commit', '-q', '-a', '-m', 'second');
    expect(running()).toEqual(['apps/run/page.spec.ts']);
    expect(running({ base: 'HEAD' })).toEqual([]);
  });

  it('the specs that quote a text that is gone', async () => {
    await write({ 'libs/words/part.ts': "export function part() {\n  return 'goodbye';\n}\n" });
    expect(running()).toEqual(['libs/words/part.spec.ts', 'apps/run/quote.spec.ts']);
  });
});

it('names changed files that no spec rests on', async () => {
  await write({ 'docs/other.md': 'Changed.\n' });
  expect(select()).toMatchObject({ changed: ['docs/other.md'], unread: ['docs/other.md'], running: [] });
});

it('leaves out the farthest specs if their times do not fit', async () => {
  await write({ 'libs/words/greet.ts': 'export const greet = () => 1;\n' });
  const times = { 'libs/words/greet.spec.ts': { seconds: 4 }, 'apps/run/start.spec.ts': { seconds: 4 } };
  const { running: near, left } = select({ secondsMax: 5, times });
  expect([near, left].map((specs) => specs.map(({ file }) => file))).toEqual([
    ['libs/words/greet.spec.ts'],
    ['apps/run/start.spec.ts'],
  ]);
});

it('runs a changed spec however long it takes', async () => {
  await write({ 'libs/words/greet.spec.ts': '' });
  const times = { 'libs/words/greet.spec.ts': { seconds: 400 } };
  expect(running({ secondsMax: 5, times })).toEqual(['libs/words/greet.spec.ts']);
});

it('leaves out specs of other runs', async () => {
  await write({ 'libs/words/greet.ts': 'export const greet = () => 1;\n' });
  expect(running({ isRun: (file) => !file.includes('start') })).toEqual(['libs/words/greet.spec.ts']);
});
