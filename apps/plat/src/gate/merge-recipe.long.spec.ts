import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from './gate-merge';
import { skipDetail } from './gate-merge-view';

/** A person's setting, attribute or variable: how it is made, and the variables of the command. */
type Setting = (checkout: GateCheckout) => Promise<Record<string, string> | void>;

const configured =
  (...settings: [key: string, value: string][]): Setting =>
  async (checkout) => {
    for (const [key, value] of settings) await checkout.git('config', key, value);
  };

const ATTRIBUTES = '* merge=union\n';

describe('the merge of a gate', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = async (sources: string[], env: Record<string, string> = {}) => {
      const args = [
        'exec',
        'gate-merge',
        '--messages-on-stdin',
        ...sources.map((source) => `--source=${source}`),
        '--json',
      ];
      const run = await machine.plat(args, { cwd: checkout.folder, input: sources.join('\0'), env });
      return run.json<GateMerge>();
    };
    return { machine, checkout, gate };
  }

  /** Commits on main and pushes it. */
  async function target(checkout: GateCheckout, files: Record<string, string>): Promise<void> {
    await checkout.commit(files, 'Target');
    await checkout.git('push', '--quiet', 'origin', 'main');
  }

  /**
   * `clean` renames three files and edits them, which the target edits as well, moves a folder to which the target adds
   * a file, and has a file whose best line matches depend on the algorithm. `clash` changes a line that the target
   * changes too.
   */
  async function hostileHistory(checkout: GateCheckout): Promise<void> {
    const file = (name: string, changed = {}) => lines(1, 40, changed).replaceAll('line', `${name} line`);
    const before: Record<string, string> = { 'crlf.txt': lines(1, 30).replaceAll('\n', '\r\n') };
    for (const name of ['a', 'b', 'c']) before[`${name}.txt`] = file(name);
    for (const name of ['1', '2', '3']) before[`folder/${name}`] = file(name);
    await target(checkout, before);
    await checkout.git('switch', '--quiet', '--create', 'clean', 'main');
    await checkout.git('mv', 'folder', 'moved');
    for (const name of ['a', 'b', 'c']) {
      await checkout.git('mv', `${name}.txt`, `new-${name}.txt`);
      await checkout.commit({ [`new-${name}.txt`]: file(name, { 3: 'three' }) }, 'Rename');
    }
    await checkout.commit({ 'crlf.txt': lines(1, 30, { 3: 'three' }).replaceAll('\n', '\r\n') }, 'Edit');
    await checkout.git('push', '--quiet', 'origin', 'clean');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.branch('clash', { 'README.md': 'app of the source\n' });
    const after: Record<string, string> = { 'folder/4': 'new\n', 'README.md': 'app of the target\n' };
    for (const name of ['a', 'b', 'c']) after[`${name}.txt`] = file(name, { 30: 'thirty' });
    after['crlf.txt'] = lines(1, 30, { 25: 'twenty-five' }).replaceAll('\n', '\r\n');
    await target(checkout, after);
  }

  /** The merges of two histories without any setting, which each other case has to repeat. */
  async function outcome(set: Setting) {
    const { checkout, gate } = await setUp();
    await hostileHistory(checkout);
    const env = (await set(checkout)) ?? {};
    const { merged, skipped, mergeCommit } = await gate(['clean', 'clash'], env);
    return {
      merged: merged.map(({ sourceBranch }) => sourceBranch),
      skipped: skipped.map(({ sourceBranch, reason, files }) => ({ sourceBranch, reason, files })),
      tree: await checkout.tree(mergeCommit),
      files: await checkout.git('ls-tree', '-r', '--name-only', mergeCommit),
    };
  }

  let plain: Awaited<ReturnType<typeof outcome>>;
  beforeAll(async () => {
    plain = await outcome(async () => undefined);
  }, 60_000);

  const inHome = (name: string) => async (checkout: GateCheckout) => {
    const folder = join(checkout.folder, '..', '.config', 'git');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), ATTRIBUTES);
  };

  it.each<[string, Setting]>([
    ['a rename limit of 1', configured(['merge.renameLimit', '1'], ['diff.renameLimit', '1'])],
    ['no renames', configured(['merge.renames', 'false'], ['diff.renames', 'false'])],
    ['copies', configured(['diff.renames', 'copies'])],
    ['a guess at renamed folders', configured(['merge.directoryRenames', 'true'])],
    [
      'renormalization of files that are text',
      async (checkout) => {
        await configured(['merge.renormalize', 'true'], ['core.autocrlf', 'input'])(checkout);
        await appendFile(join(checkout.folder, '.git', 'info', 'attributes'), 'numbers.txt text\n');
      },
    ],
    ['line endings that are converted', configured(['core.autocrlf', 'true'], ['core.eol', 'crlf'])],
    ['another diff', configured(['diff.algorithm', 'patience'], ['diff.ignoreSubmodules', 'all'])],
    ['another style of conflicts', configured(['merge.conflictStyle', 'zdiff3'], ['merge.verbosity', '5'])],
    ['a case that is ignored', configured(['core.ignoreCase', 'true'], ['core.quotePath', 'true'])],
    ['a driver for all files', configured(['merge.default', 'union'])],
    [
      'a driver of its own for all files',
      configured(['merge.default', 'mine'], ['merge.mine.driver', 'cp %B %A']),
    ],
    [
      'settings of one command',
      async () => ({
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'merge.default',
        GIT_CONFIG_VALUE_0: 'union',
        GIT_MERGE_VERBOSITY: '5',
      }),
    ],
    [
      "an attributes file that the person's settings name",
      async (checkout) => {
        await writeFile(join(checkout.folder, '..', 'attributes'), ATTRIBUTES);
        await checkout.git('config', 'core.attributesFile', join(checkout.folder, '..', 'attributes'));
      },
    ],
    ["the attributes file of the person's home", inHome('attributes')],
    [
      "the repository's own info/attributes",
      (checkout) => appendFile(join(checkout.folder, '.git', 'info', 'attributes'), ATTRIBUTES),
    ],
  ])('is the same with %s', async (_name, set) => {
    expect(await outcome(set)).toEqual(plain);
  });

  describe('of a file that both sides changed, for which a tree asks for a driver', () => {
    it.each([
      ['merge=union', 'log.md has merge=union'],
      ['merge=mine', 'log.md has merge=mine'],
      ['-merge', 'log.md has -merge'],
      ['binary', 'log.md has -merge'],
    ])('is a conflict before the push for %s', async (attribute, named) => {
      const { checkout, gate } = await setUp();
      await target(checkout, { 'log.md': lines(1, 40), '.gitattributes': `*.md ${attribute}\n` });
      await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
      await target(checkout, { 'log.md': lines(1, 40, { 30: 'thirty' }) });
      const { merged, skipped } = await gate(['part']);
      expect(merged).toEqual([]);
      expect(skipped).toMatchObject([{ reason: 'conflict', files: ['log.md'] }]);
      expect(skipDetail(skipped[0]!)).toMatch(
        new RegExp(`^conflicts in log\\.md: .*${named}.*Merge the target into the source branch`),
      );
      await checkout.git('switch', '--quiet', 'part');
      await checkout.git(
        '-c',
        'core.attributesFile=/dev/null',
        'merge',
        '--quiet',
        '--strategy=ours',
        'main',
      );
      await checkout.git('push', '--quiet', 'origin', 'part');
      await checkout.git('switch', '--quiet', 'main');
      const again = await gate(['part']);
      expect(again.merged).toHaveLength(1);
    });

    it.each(['merge', 'merge=text', '!merge'])(
      'is merged if the attribute is %s, which asks for the same merge',
      async (attribute) => {
        const { checkout, gate } = await setUp();
        await target(checkout, { 'log.md': lines(1, 40), '.gitattributes': `*.md ${attribute}\n` });
        await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
        await target(checkout, { 'log.md': lines(1, 40, { 30: 'thirty' }) });
        expect((await gate(['part'])).merged).toHaveLength(1);
      },
    );
  });
});
