import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execFileSync, spawnSync } from '@plat/testing';
import { allowRemoval } from './run-folder.mjs';

const moduleUrl = JSON.stringify(pathToFileURL(join(__dirname, 'hostile-user.mjs')).href);
const runFolderUrl = JSON.stringify(pathToFileURL(join(__dirname, 'run-folder.mjs')).href);

describe('the hostile user', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-hostile-'))));
  afterEach(() => {
    // Only root may remove files from a home that is read-only.
    allowRemoval(folder);
    return rm(folder, { recursive: true });
  });

  /** Runs lines of a shell as that user, in a folder that he may write. */
  function type(lines: string) {
    const script = `
      const { becomeHostileUser } = await import(${moduleUrl});
      const { spawnSync } = await import('node:child_process');
      const { TMPDIR } = becomeHostileUser(${JSON.stringify(folder)});
      const run = spawnSync('/bin/sh', ['-c', process.argv[1]], { cwd: TMPDIR, stdio: 'inherit' });
      process.exitCode = run.status;`;
    const args = ['--input-type=module', '-e', script, lines];
    return spawnSync(process.execPath, args, { encoding: 'utf8' });
  }

  it.each([
    ['cannot commit', 'git init -q . && git commit --allow-empty -m x'],
    [
      'cannot commit with an identity either',
      'git init -q . && git -c user.name=A -c user.email=a@b commit --allow-empty -m x',
    ],
    ['cannot clone a local repository', `git clone '${process.cwd()}' there`],
    ['cannot fetch by http', 'curl --silent --fail http://127.0.0.1:1/ || git ls-remote http://127.0.0.1:1/'],
  ])('%s', (_what, lines) => {
    expect(type(lines).status).not.toBe(0);
  });

  it('has another branch, locale, time zone and mask than the tests', () => {
    const { stdout } = type('git init -q . && git symbolic-ref HEAD; echo $LC_ALL $TZ; umask; pwd');
    expect(stdout.trim().split('\n')).toEqual([
      'refs/heads/trunk',
      'tr_TR.UTF-8 Pacific/Chatham',
      expect.stringMatching(/^0?077$/),
      expect.stringMatching(/temporary files$/),
    ]);
  });
});

it('a run folder with folders that no one may write is removed all the same', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'plat-readonly-'));
  const script = `
    const { makeRunFolder } = await import(${runFolderUrl});
    const { becomeHostileUser } = await import(${moduleUrl});
    const folder = makeRunFolder({ memory: '/nonexistent', disk: ${JSON.stringify(disk)} });
    becomeHostileUser(folder);
    console.log(folder);`;
  const made = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(made.trim()).toContain(disk);
  expect(existsSync(made.trim())).toBe(false);
  await rm(disk, { recursive: true });
});
