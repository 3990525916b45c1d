import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

describe('a push', () => {
  let machine: Machine;
  let checkout: GateCheckout;
  beforeEach(async () => {
    machine = await Machine.create();
    checkout = await GateCheckout.create(machine);
  });
  afterEach(() => machine.remove());

  const marker = () => join(machine.home, 'marker');
  const isRun = () =>
    access(marker()).then(
      () => true,
      () => false,
    );
  const writeHook = async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `#!/bin/sh\nprintenv GH_TOKEN > '${marker()}'\n`);
    await chmod(path, 0o755);
  };
  const hooksPath = (path: string) => checkout.git('config', 'core.hooksPath', path);
  const own = (...path: string[]) => join(checkout.folder, ...path);
  const push = async () => {
    const commitId = await checkout.commit({ 'a.txt': 'a\n' }, 'Merge');
    const args = ['exec', 'push', '--target-branch=main', `--commit-id=${commitId}`];
    const run = await machine.plat(args, { cwd: checkout.folder, env: { GH_TOKEN: 'secret' } });
    expect(run).toMatchObject({ code: 0 });
    expect(await checkout.git('ls-remote', checkout.origin, 'refs/heads/main')).toContain(commitId);
    return run.stderr;
  };

  it.each<[string, () => Promise<unknown>]>([
    [
      'in the folder that a relative core.hooksPath names',
      () => writeHook(own('.husky/pre-push')).then(() => hooksPath('.husky')),
    ],
    [
      'in the folder that an absolute core.hooksPath names',
      () => writeHook(own('.husky/pre-push')).then(() => hooksPath(own('.husky'))),
    ],
    [
      'that is a link to another program',
      async () => {
        await writeHook(join(machine.home, 'program'));
        await mkdir(own('.husky'));
        await symlink(join(machine.home, 'program'), own('.husky/pre-push'));
        await hooksPath('.husky');
      },
    ],
    [
      'to which a link in the git folder leads',
      async () => {
        await writeHook(own('scripts/pre-push'));
        await symlink('../../scripts/pre-push', own('.git/hooks/pre-push'));
      },
    ],
  ])('runs no pre-push hook of the branch, %s, and says so', async (_where, set) => {
    await set();
    expect((await push()).match(/pre-push is not run by the push/g)).toHaveLength(1);
    expect(await isRun()).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['in the git folder', () => writeHook(own('.git/hooks/pre-push'))],
    [
      'in a folder of the person',
      () => writeHook(join(machine.home, 'hooks/pre-push')).then(() => hooksPath('~/hooks')),
    ],
  ])('runs the pre-push hook of the person, %s', async (_where, set) => {
    await set();
    expect(await push()).not.toContain('pre-push');
    expect(await isRun()).toBe(true);
  });
});
