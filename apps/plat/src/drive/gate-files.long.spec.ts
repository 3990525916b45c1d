import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { type Git, gitIn } from '../git/git';
import { takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import { keepFiles } from './gate-files';
import { gateStep } from './gate-step';
import { mergeStep } from './merge-step';

describe('the files that a gate leaves in the worktree of drives', () => {
  let bench: DriveBench;
  let git: Git;
  let merged: DriveState;
  beforeEach(async () => {
    bench = await DriveBench.set();
    ({ git } = bench);
    await bench.checkout.branch(SOURCE, { '.gitignore': 'packages/\n', 'src/app.txt': 'app\n' });
    bench.platform.answer('POST /v1/gate-runs', {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'no' },
    });
    merged = await takeStep(bench.context(), mergeStep, bench.state());
  });
  afterEach(() => bench.strike());

  const gate = (run: () => Promise<void>, successful = false) =>
    takeStep(
      bench.context({
        git,
        gate: { plan: () => Promise.resolve('gate'), run: () => run().then(() => ({ successful })) },
      }),
      gateStep,
      merged,
    );
  const write = async (...files: string[]) => {
    for (const file of files) {
      await mkdir(dirname(join(bench.worktree, file)), { recursive: true });
      await writeFile(join(bench.worktree, file), 'left\n');
    }
  };
  /** The files that the next gate finds, without git's own link. */
  const listFound = async () => {
    let files: string[] = [];
    await gate(async () => {
      const all = await readdir(bench.worktree, { recursive: true, withFileTypes: true });
      const paths = all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
      files = paths.map((path) => path.slice(bench.worktree.length + 1)).filter((path) => path !== '.git');
    });
    return files.sort();
  };
  const TRACKED = ['.gitignore', 'README.md', 'numbers.txt', 'src/app.txt'];
  const HIDDEN = ['packages/tool', 'packages/nested/.git/HEAD', 'src/.git/hidden'];
  /** The entries of the folder around the worktree whose names begin with its name. */
  const beside = async () =>
    (await readdir(dirname(bench.worktree))).filter((name) => name.startsWith(basename(bench.worktree)));

  it('are gone at the next gate if the merge was refused, however they are hidden from git', async () => {
    await gate(() => write(...HIDDEN));
    expect(await listFound()).toEqual(TRACKED);
    expect(await bench.inWorktree('status', '--porcelain', '--ignored')).toBe('');
    expect(await beside()).toEqual([basename(bench.worktree)]);
    expect(bench.notes.join('\n')).toContain(`The merge ${merged.merge?.mergeCommit} did not land`);
  });

  it('are gone after a gate that passed and whose merge did not land', async () => {
    await gate(() => write('packages/tool'), true);
    expect(await listFound()).toEqual(TRACKED);
  });

  it('are gone after a gate that was stopped', async () => {
    const stopped = gate(async () => {
      await write('packages/tool');
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await listFound()).toEqual(TRACKED);
  });

  it('do not stop the next merge, even if they make a repository of a folder that is a submodule’s', async () => {
    await bench.checkout.git('switch', '--quiet', SOURCE);
    const link = `160000,${'a'.repeat(40)},part`;
    await bench.checkout.git('update-index', '--add', '--cacheinfo', link);
    await bench.checkout.git('commit', '--quiet', '-m', 'Part');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    merged = await takeStep(bench.context(), mergeStep, bench.state());
    await bench.inWorktree('init', '--quiet', 'part');
    await bench.inWorktree('-C', 'part', 'commit', '--quiet', '--allow-empty', '-m', 'Part');
    merged = await takeStep(bench.context(), mergeStep, bench.state());
    expect(await listFound()).toEqual(TRACKED);
  });

  it('are there for the next gate if the merge landed, and only until one is refused', async () => {
    await keepFiles(bench.context(), await gate(() => write('packages/tool'), true));
    expect(await listFound()).toEqual([...TRACKED, 'packages/tool'].sort());
    expect(await listFound()).toEqual(TRACKED);
  });

  it('are not kept by the landing of a merge that was gated elsewhere', async () => {
    await gate(() => write('packages/tool'));
    await keepFiles(bench.context(), { ...merged, merge: { ...merged.merge!, mergeCommit: 'a'.repeat(40) } });
    expect(await listFound()).toEqual(TRACKED);
  });

  it('are gone in submodules too, whose own files are there', async () => {
    const library = join(bench.home, 'library');
    await bench.checkout.git('init', '--quiet', library);
    await writeFile(join(library, 'code.txt'), 'code\n');
    await writeFile(join(library, '.gitignore'), 'packages/\n');
    await bench.checkout.git('-C', library, 'add', '--all');
    await bench.checkout.git('-C', library, 'commit', '--quiet', '-m', 'Library');
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await bench.checkout.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      library,
      'library',
    );
    await bench.checkout.commit({}, 'Library');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    // git clones a submodule from another folder only if a setting allows it.
    const allow = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'protocol.file.allow',
      GIT_CONFIG_VALUE_0: 'always',
    };
    git = gitIn(bench.worktree, undefined, allow);
    merged = await takeStep(bench.context({ git }), mergeStep, bench.state());
    await gate(() => write('library/packages/tool'));
    expect(await listFound()).toEqual(expect.arrayContaining([...TRACKED, 'library/code.txt']));
    expect(await listFound()).not.toContain('library/packages/tool');
    expect(await readFile(join(bench.worktree, 'library/code.txt'), 'utf8')).toBe('code\n');
    expect(await bench.inWorktree('status', '--porcelain', '--ignored')).toBe('');
  });
});
