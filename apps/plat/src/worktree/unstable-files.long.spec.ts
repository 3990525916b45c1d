import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';
import { unstableFiles } from './unstable-files';

describe('a source with attributes by which git converts files', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = (...sources: string[]) =>
      machine.plat(
        ['exec', 'gate-merge', '--messages-on-stdin', ...sources.map((one) => `--source=${one}`), '--json'],
        {
          cwd: checkout.folder,
          input: sources.join('\0'),
        },
      );
    return { machine, checkout, gate };
  }

  /** A branch whose files are stored as they are, although its attributes would convert them. */
  async function raw(
    checkout: GateCheckout,
    name: string,
    files: Record<string, string>,
    attributes: string,
  ) {
    await checkout.git('switch', '--quiet', '--create', name);
    await checkout.commit(files, 'Files');
    const git = gitIn(checkout.folder);
    const blob = (await git.run(['hash-object', '-w', '--stdin'], attributes)).trim();
    const tree = `${await checkout.git('ls-tree', 'HEAD')}\n100644 blob ${blob}\t.gitattributes\n`;
    const made = (await git.run(['mktree'], tree)).trim();
    const commit = await checkout.git('commit-tree', '-p', 'HEAD', '-m', 'Attributes', made);
    await checkout.git('push', '--quiet', 'origin', `${commit}:refs/heads/${name}`);
    await checkout.git('switch', '--quiet', 'main');
    return commit;
  }
  const CRLF = { 'lines.txt': 'a\r\nb\r\n' };

  it.each([
    ['line endings', CRLF, '*.txt text\n', ['lines.txt']],
    ['line endings of one form', CRLF, '*.txt eol=lf\n', ['lines.txt']],
    ['an expanded id', { 'id.c': '/* $Id: 1 $ */\n' }, '*.c ident\n', ['id.c']],
    ['a large file that is no pointer', { 'a.bin': 'large\n' }, '*.bin filter=large\n', ['a.bin']],
  ])('is skipped, and its unstable files are named: %s', async (_what, files, attributes, unstable) => {
    const { checkout, gate } = await setUp();
    await checkout.git('config', 'filter.large.clean', 'sed -e "s/^large/pointer/"');
    await checkout.git('config', 'filter.large.smudge', 'sed -e "s/^pointer/large/"');
    await raw(checkout, 'odd', files, attributes);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const before = await checkout.git('stash', 'list');
    const { merged, skipped } = (await gate('odd', 'part')).json<GateMerge>();
    expect(skipped).toMatchObject([{ sourceBranch: 'odd', reason: 'unstable', files: unstable }]);
    expect(merged).toMatchObject([{ sourceBranch: 'part' }]);
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await checkout.git('stash', 'list')).toBe(before);
  });

  it.each([
    ['git detects the line endings', CRLF, '* text=auto\n'],
    ['the line endings are the stored ones', { 'lines.txt': 'a\nb\n' }, '*.txt text eol=crlf\n'],
    ['the file is binary', CRLF, '*.txt binary\n'],
    ['the large file is a pointer', { 'a.bin': 'pointer\n' }, '*.bin filter=large\n'],
  ])('is merged if git would store its files as they are: %s', async (_what, files, attributes) => {
    const { checkout, gate } = await setUp();
    await checkout.git('config', 'filter.large.clean', 'sed -e "s/^large/pointer/"');
    await checkout.git('config', 'filter.large.smudge', 'sed -e "s/^pointer/large/"');
    await raw(checkout, 'even', files, attributes);
    expect((await gate('even')).json<GateMerge>().merged).toHaveLength(1);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('is not blamed for a file that is unstable in the target already', async () => {
    const { checkout } = await setUp();
    const onto = await raw(checkout, 'odd', CRLF, '*.txt text\n');
    const git = gitIn(checkout.folder);
    const tree = await git.run(['ls-tree', onto]);
    const blob = (await git.run(['hash-object', '-w', '--stdin'], '*.txt text\n*.md text\n')).trim();
    const made = await git.run(['mktree'], tree.replace(/[0-9a-f]{40}(?=\t\.gitattributes)/, blob));
    const commit = await checkout.git('commit-tree', '-p', onto, '-m', 'More', made.trim());
    expect(await unstableFiles(git, { onto, commit })).toEqual([]);
    expect(await unstableFiles(git, { onto: 'main', commit })).toEqual(['lines.txt']);
  });

  it('is not skipped for the attributes of the person, which are refused', async () => {
    const { checkout, gate } = await setUp();
    await checkout.branch('lines', CRLF);
    await writeFile(join(checkout.folder, '.git', 'info', 'attributes'), '*.txt text\n');
    const before = await checkout.everything();
    expect((await gate('lines')).json()).toMatchObject({
      code: 'OWN_ATTRIBUTES',
      details: { files: ['lines.txt'] },
    });
    expect((await checkout.everything()).replaceAll(/^.*refs\/(?:worktree|plat)\/.*\n/gm, '')).toBe(before);
    await writeFile(join(checkout.folder, '.git', 'info', 'attributes'), '');
    expect((await gate('lines')).json<GateMerge>().merged).toHaveLength(1);
  });
});
