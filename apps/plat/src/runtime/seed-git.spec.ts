import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@plat/testing';
import { seedGit } from './seed-git';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plat-seed-git-'));
  await mkdir(mount());
});
afterEach(() => rm(home, { recursive: true }));

const mount = () => join(home, 'mount');
const own = () => join(home, '.config', 'git', 'config');
const mounted = (text: string) => writeFile(join(mount(), 'config'), text);
const seed = () => seedGit({ mount: mount(), configFolder: join(home, '.config', 'plat') });
const git = async (...args: string[]) => {
  const env = { PATH: process.env.PATH!, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  return (await runCommand({ program: 'git', args, cwd: home, env })).stdout.trim();
};

const ALICE = '[user]\n\tname = "Alice"\n\temail = "alice@example.com"\n';

describe('git in a pod, Rule H16,', () => {
  it('commits as the operator whom the deploy has named', async () => {
    await mounted(ALICE);
    expect(await seed()).toBe(`git uses the settings in ${mount()}.`);
    expect(await git('var', 'GIT_AUTHOR_IDENT')).toMatch(/^Alice <alice@example\.com> /);
  });

  it('takes another name of a later deploy without another boot', async () => {
    await mounted(ALICE);
    await seed();
    await mounted(ALICE.replaceAll(/alice/gi, 'bob'));
    expect(await git('config', '--get', 'user.email')).toBe('bob@example.com');
  });

  it.each([
    ['set before the first boot', async () => void (await git('config', '--global', 'user.name', 'Mine'))],
    [
      "in git's folder of settings",
      async () => {
        await mkdir(join(home, '.config', 'git'), { recursive: true });
        await writeFile(own(), '[user]\n\tname = Mine\n');
      },
    ],
  ])('leaves the identity of a person that is %s', async (_when, setIdentity) => {
    await setIdentity();
    await mounted(ALICE);
    await seed();
    expect(await git('config', '--get', 'user.name')).toBe('Mine');
    expect(await git('config', '--get', 'user.email')).toBe('alice@example.com');
  });

  it('lets a person set another one afterwards, which a second boot leaves', async () => {
    await mounted(ALICE);
    await seed();
    await git('config', '--global', 'user.name', 'Mine');
    const before = await readFile(own(), 'utf8');
    await seed();
    expect(await git('config', '--get', 'user.name')).toBe('Mine');
    expect(await readFile(own(), 'utf8')).toBe(before);
  });

  it('is left as it is without settings from the deploy, and the log names the flags', async () => {
    expect(await seed()).toMatch(/neither a person nor a credential .* --git-identity and --git-credential/);
    await expect(readFile(own())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
