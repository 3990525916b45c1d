import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { spawnSync, testEnvironment } from '@plat/testing';
import { findLack } from './requirements.mjs';

/** Root may write anywhere, so that the case takes another user. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-lack-'));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

/** A program named git that prints a version. */
async function gitOf(version: string): Promise<string> {
  const program = join(folder, 'git');
  await writeFile(program, `#!/bin/sh\necho 'git version ${version}'\n`, { mode: 0o755 });
  return program;
}

describe('before the first command', () => {
  it.each(['20.19.0', '20.20.1', '22.12.0', '24.0.0', '26.1.0'])('Node %s is new enough', (node) => {
    expect(findLack({ node })).toBeUndefined();
  });

  it.each(['18.20.4', '20.18.3', '21.7.0', '22.11.9', '23.9.0'])(
    'Node %s is named, with those that do',
    (node) => {
      expect(findLack({ node })).toBe(
        `This is Node ${node}, and plat needs 20.19.0 or a newer 20, 22.12.0 or a newer 22, or 24 and newer: ` +
          'install one from https://nodejs.org, then repeat the command.',
      );
    },
  );

  it.each(['2.39.0', '2.39.2.windows.1', '2.50.1 (Apple Git-155)', '3.0.0'])(
    'git %s is new enough',
    async (version) => {
      expect(findLack({ git: await gitOf(version) })).toBeUndefined();
    },
  );

  it('an older git is named, by the command itself', async () => {
    await gitOf('2.20.1');
    const env = { ...testEnvironment(), PATH: [folder, process.env.PATH].join(delimiter) };
    const run = spawnSync(process.execPath, [join(__dirname, 'run.mjs'), 'demo'], { env, encoding: 'utf8' });
    expect([run.status, run.stdout, run.stderr]).toEqual([
      1,
      '',
      'This is git 2.20.1, and plat needs 2.39 or newer: install one from https://git-scm.com, then repeat the command.\n',
    ]);
  });

  it('a machine without git gets the reason, and can read the list of commands', () => {
    const run = (name: string) =>
      spawnSync(process.execPath, [join(__dirname, 'run.mjs'), name], {
        env: { PATH: folder },
        encoding: 'utf8',
      });
    expect(run('test').stderr).toBe(
      'git is not on the PATH: install git 2.39 or newer, then repeat the command.\n',
    );
    expect(run('help')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run demo') });
  });

  it('a checkout in which the user may not write is named', async () => {
    const [root, module] = [join(folder, 'checkout'), join(folder, 'requirements.mjs')];
    await mkdir(root, { mode: 0o555 });
    await copyFile(join(__dirname, 'requirements.mjs'), module);
    await chmod(module, 0o644);
    const script = `
      const { findLack } = await import(${JSON.stringify(module)});
      console.log(findLack({ engines: '>=20', root: ${JSON.stringify(root)} }));`;
    const args = ['--input-type=module', '-e', script];
    const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', ...user });
    expect(run.stdout).toBe(
      `You may not write in ${root}: clone the repository into a folder of your own, then repeat the command there.\n`,
    );
  });

  it('an old Node can read what says so: no syntax is newer than its modules', async () => {
    for (const name of ['run.mjs', 'requirements.mjs']) {
      const text = await readFile(join(__dirname, name), 'utf8');
      expect(text).not.toMatch(/\?\.|\?\?|import\.meta\.(?:dirname|filename)|\.at\(|^await /m);
    }
  });
});
