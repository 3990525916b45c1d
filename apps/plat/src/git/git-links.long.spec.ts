import { access, appendFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execFileSync } from '@plat/testing';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { commandGate } from '../drive/command-gate';
import { takeStep } from '../drive/drive-loop';
import type { DriveState } from '../drive/drive-state';
import { gateStep } from '../drive/gate-step';
import { mergeStep } from '../drive/merge-step';
import { openDriveWorktree } from '../worktree/drive-worktree';
import { gitIn } from './git';

const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';

/** As code of a gate in a container does, in which the worktree alone is mounted: it replaces the worktree's `.git`. */
const REPOSITORY = `
mkdir -p evil/objects evil/refs
echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > evil/HEAD
git config --file evil/config core.repositoryFormatVersion 1
git config --file evil/config extensions.partialClone origin
git config --file evil/config remote.origin.url ssh://git.example/acme/app
git config --file evil/config remote.origin.promisor true
git config --file evil/config core.sshCommand "touch $MARKER; false"
`;
const IN_GIT_FILE = `${REPOSITORY} echo "gitdir: $PWD/evil" > .git`;
const AS_GIT_FOLDER = `${REPOSITORY} rm .git; mv evil .git`;
const AS_LINK = `${REPOSITORY} rm .git; ln -s evil .git`;

/** A `.git` in the folder of a submodule, whose filter git runs when it compares the files. */
const submodule = (path: string) => `
rm -rf ${path}/.git; git init --quiet ${path}
echo one > ${path}/a.txt; git -C ${path} add a.txt
git -C ${path} -c user.name=a -c user.email=a@b commit --quiet -m One
git -C ${path} config filter.p.clean "touch $MARKER; cat"
echo '* filter=p' > ${path}/.gitattributes; echo two > ${path}/a.txt
`;

describe('code of a gate that replaces a .git of the worktree', () => {
  let bench: DriveBench;
  let merged: DriveState;
  beforeEach(async () => {
    bench = await DriveBench.set();
    process.env.GIT_ALLOW_PROTOCOL = 'file';
    const { checkout } = bench;
    await appendFile(join(bench.home, '.gitconfig'), '[protocol "file"]\nallow=always\n');
    // A submodule that is checked out, and a commit of one that is nowhere.
    await checkout.git('submodule', '--quiet', 'add', checkout.origin, 'library');
    const commit = await bench.commit('HEAD');
    await checkout.git('update-index', '--add', '--cacheinfo', `160000,${commit},empty`);
    await checkout.git('commit', '--quiet', '-m', 'Submodules');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.git('update-index', '--force-remove', 'empty');
    await checkout.git('reset', '--quiet', '--hard');
    await checkout.branch(SOURCE, { 'a.txt': 'a\n' });
    bench.platform.answer('POST /v1/gate-runs', { body: { gateRunId: RUN_ID } });
    bench.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    bench.platform.answer(`PATCH /v1/gate-runs/${RUN_ID}`, ({ body }) => ({ body }));
    merged = await takeStep(bench.context(), mergeStep, bench.state());
  });
  afterEach(async () => {
    delete process.env.GIT_ALLOW_PROTOCOL;
    await bench.strike();
  });

  const marker = () => join(bench.home, 'marker');
  const gate = (script: string) =>
    takeStep(bench.context({ gate: commandGate(`MARKER='${marker()}'; ${script}`) }), gateStep, merged);
  const openAgain = async () =>
    openDriveWorktree(gitIn(dirname(bench.worktree) + `/${basename(bench.worktree, '.plat-drive')}`), {
      configFolder: join(bench.home, 'config'),
      note: (line) => bench.notes.push(line),
    });
  const requireNothingRun = () => expect(access(marker())).rejects.toThrow('ENOENT');

  it.each<[string, string, string]>([
    ['by a file that names a repository of its own', IN_GIT_FILE, '.git'],
    ['by a repository', AS_GIT_FOLDER, '.git'],
    ['by a link', AS_LINK, '.git'],
    ['by a pipe', 'rm .git; mkfifo .git', '.git'],
    ['by a file without an end', 'truncate -s 5G .git', '.git'],
    ['by nothing', 'rm .git', '.git'],
    ['of a submodule', submodule('library'), 'library/.git'],
    ['of a submodule that is not checked out', submodule('empty'), 'empty/.git'],
  ])('%s, runs no command, and the worktree is made again', async (_how, script, file) => {
    const { verdict } = await gate(script);
    expect(verdict).toMatchObject({
      successful: false,
      failingStep: 'gate: it passed and moved the checkout',
      detail: expect.stringContaining(`its repository: ${file} in ${bench.worktree}`) as unknown,
    });
    const git = await openAgain();
    expect([git.folder, bench.notes[0]]).toEqual([
      bench.worktree,
      expect.stringMatching(/^A gate replaced a \.git in the worktree .+\. What was in it is in .+\.left-/),
    ]);
    const again = bench.context({ git });
    const landing = await takeStep(
      { ...again, gate: commandGate('true') },
      gateStep,
      await takeStep(again, mergeStep, merged),
    );
    expect(landing.verdict).toMatchObject({ successful: true });
    await requireNothingRun();
  });

  it('below a link out of the worktree, has no effect there', async () => {
    const outside = join(bench.home, 'outside');
    await mkdir(join(outside, '.git'), { recursive: true });
    await rm(join(bench.worktree, 'library'), { recursive: true });
    await symlink(outside, join(bench.worktree, 'library'));
    expect((await gate('true')).verdict?.detail).toContain('its repository: library/.git in');
    await openAgain();
    expect(await readdir(outside)).toEqual(['.git']);
  });

  it('in a folder that the next merge makes a submodule, runs no command', async () => {
    await gate(`${submodule('later')} echo later/ >> "$(git rev-parse --git-common-dir)/info/exclude"`);
    const { checkout } = bench;
    await checkout.git('switch', '--quiet', '--create', 'later', 'main');
    await checkout.git('submodule', '--quiet', 'add', '--force', checkout.origin, 'later');
    await checkout.git('commit', '--quiet', '-m', 'Later');
    await checkout.git('push', '--quiet', 'origin', 'later');
    const state = bench.state();
    const next = { ...state, review: { ...state.review, sourceBranch: 'later' } };
    await expect(takeStep(bench.context(), mergeStep, next)).rejects.toMatchObject({
      code: 'CHECKOUT_MOVED',
      details: { files: ['later/.git'] },
    });
    await requireNothingRun();
  });

  it('is found by no git that the drive runs between the gates', async () => {
    const git = await openAgain();
    execFileSync('sh', ['-c', `MARKER='${marker()}'; ${IN_GIT_FILE}`], { cwd: git.folder });
    await writeFile(join(git.folder, 'README.md'), 'changed\n');
    expect((await git.run(['rev-parse', 'HEAD'])).trim()).toBe(merged.merge?.mergeCommit);
    expect(await git.run(['diff', '--name-only'])).toBe('README.md\n');
    await requireNothingRun();
  });
});
