import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile } from '@plat/testing';

jest.setTimeout(60_000);

const run = promisify(execFile);
/** The user without rights of every Linux. */
const NOBODY = 65_534;
/** The line that links the client, with the command for a person without the right to it behind a comment. */
const LINE =
  /^npm run build && (npm link) {3}# without the right to the system's folders: (npm install .*)$/m;

describe('README.md, for a person who may not write to the folders of the system', () => {
  let folder: string;
  let [link, without]: string[] = [];
  beforeAll(async () => {
    [, link = '', without = ''] = LINE.exec(await readFile(join(workspaceRoot(), 'README.md'), 'utf8')) ?? [];
    folder = await mkdtemp(join(tmpdir(), 'plat-prefix-'));
    await chmod(folder, 0o711);
    await mkdir(join(folder, 'system'), { mode: 0o555 });
    const { stdout } = await run(process.execPath, ['apps/plat/build.mjs', '--if-stale'], {
      cwd: workspaceRoot(),
    });
    // npm links nothing but the package's own file and what it names as its program.
    const client = join('plat', 'dist', 'apps', 'plat');
    await cp(dirname(stdout.trim()), join(folder, client), { recursive: true });
    await cp(join(workspaceRoot(), 'package.json'), join(folder, 'plat', 'package.json'));
    await mkdir(join(folder, 'home'));
    await give(join(folder, 'home'));
    await give(join(folder, 'plat'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Types a command in the clone, as an ordinary user. */
  const type = (command: string) => {
    const env = {
      HOME: join(folder, 'home'),
      PATH: [join(folder, 'home', '.local', 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
      TMPDIR: join(folder, 'home'),
      npm_config_prefix: join(folder, 'system'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
    };
    const user = isRoot() ? { uid: NOBODY, gid: NOBODY } : {};
    return run('/bin/sh', ['-c', command], { cwd: join(folder, 'plat'), env, ...user });
  };

  it('prints another command, which links the client where the first one is refused', async () => {
    await expect(type(link ?? '')).rejects.toMatchObject({ stderr: expect.stringContaining('EACCES') });
    await type(without ?? '');
    expect((await type('plat --version')).stdout).toMatch(/^plat \d+\.\d+\.\d+\n$/);
    expect(await readdir(join(folder, 'system'))).toEqual([]);
  });
});

/** Gives a folder and all in it to the ordinary user, whose clone and home they are. */
async function give(folder: string): Promise<void> {
  if (!isRoot()) return;
  const entries = await readdir(folder, { recursive: true });
  for (const path of ['', ...entries]) await chown(join(folder, path), NOBODY, NOBODY);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
