import { chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@plat/testing';
import { projectFile } from './project-file';

const OTHER = 12_345;
/** Each case gives a folder to another user, which only root may do. For any other user the cases are skipped. */
const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)("the project's own file in a checkout of another user", () => {
  const variables = { ...process.env };
  let home: string;
  let root: string;
  /** The user's own settings of git. */
  let settings: string;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'plat-foreign-')));
    root = join(home, 'app');
    await git(home, ['init', '--quiet', root]);
    await mkdir(join(root, '.plat'));
    await mkdir(join(root, 'below'));
    await writeFile(join(root, '.plat', 'config.yaml'), 'gate: {command: "true"}\n');
    settings = join(home, 'settings');
    await writeFile(settings, '');
    Object.assign(process.env, { GIT_CONFIG_GLOBAL: settings, GIT_CONFIG_NOSYSTEM: '1' });
    delete process.env.SUDO_UID;
  });
  afterEach(async () => {
    process.env = { ...variables };
    await rm(home, { recursive: true });
  });

  const reading = () => projectFile(join(root, 'below'));
  const give = (...paths: string[]) =>
    Promise.all(paths.map((path) => chown(join(root, path), OTHER, OTHER)));
  const REFUSED = expect.objectContaining({ code: 'CHECKOUT_OF_ANOTHER_USER' }) as Error;

  it.each([
    ['the folder', '.'],
    ['its .git', '.git'],
  ])('is refused as git refuses it, if %s is not of this user', async (_what, path) => {
    await give(path);
    expect(reading).toThrow(REFUSED);
    expect(reading).toThrow(`The checkout ${root} belongs to another user`);
  });

  it('is refused if only the git folder that a file .git names is not of this user', async () => {
    await rm(join(root, '.git'), { recursive: true });
    await git(home, ['init', '--quiet', '--separate-git-dir', join(home, 'app.git'), root]);
    expect(reading()).toBe(join(root, '.plat', 'config.yaml'));
    await give('../app.git');
    expect(reading).toThrow(REFUSED);
  });

  it('is refused if the .git belongs to another user and is no repository, so that git would search the folders above', async () => {
    await git(home, ['init', '--quiet']);
    await rm(join(root, '.git'), { recursive: true });
    await mkdir(join(root, '.git'));
    await give('.', '.git');
    expect(reading).toThrow(REFUSED);
  });

  it('is read if a safe.directory of this user names the checkout', async () => {
    await give('.', '.git');
    await writeFile(settings, `[safe]\n\tdirectory = ${JSON.stringify(root)}\n`);
    expect(reading()).toBe(join(root, '.plat', 'config.yaml'));
  });

  it('is refused although a safe.directory of the checkout itself names it', async () => {
    await git(root, ['config', 'safe.directory', '*']);
    await give('.', '.git');
    expect(reading).toThrow(REFUSED);
  });

  it('is read by root if it belongs to the user who called sudo, as in git', async () => {
    await give('.', '.git');
    process.env.SUDO_UID = OTHER.toString();
    expect(reading()).toBe(join(root, '.plat', 'config.yaml'));
  });
});

describe("the project's own file next to a file .git", () => {
  it.each([
    ['below a file', '/etc/passwd/app.git'],
    ['with a name that no system takes', 'a'.repeat(5_000)],
    ['with NUL', 'a\0b'],
  ])('is read if this names a place %s, so that there is no other owner', async (_what, named) => {
    const root = await mkdtemp(join(tmpdir(), 'plat-own-'));
    const path = join(root, '.plat', 'config.yaml');
    await mkdir(join(root, '.plat'));
    await writeFile(path, '');
    await writeFile(join(root, '.git'), `gitdir: ${named}\n`);
    expect(projectFile(root)).toBe(path);
    await rm(root, { recursive: true });
  });
});
