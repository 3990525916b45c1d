import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';
import { lookAtTip, readTips } from './gate-refs';

describe('the refs of a gate', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** A checkout with the branches `main`, `release` and `part` on origin, in which `part` was merged onto `main`. */
  async function setUpGated() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/release');
    const gate = (folder: string, target: string) =>
      machine.plat(
        ['exec', 'gate-merge', '--messages-on-stdin', '--source=part', `--target-branch=${target}`, '--json'],
        {
          cwd: folder,
          input: 'Part',
        },
      );
    expect((await gate(checkout.folder, 'main')).code).toBe(0);
    return { machine, checkout, gate, git: gitIn(checkout.folder) };
  }

  it('are unchanged after a gate in another worktree of the repository', async () => {
    const { machine, checkout, gate, git } = await setUpGated();
    const before = await readTips(git);
    const other = join(machine.home, 'other');
    await checkout.git('worktree', 'add', '--quiet', '--detach', other, 'origin/main');
    await checkout.git('-C', other, 'commit', '--quiet', '--allow-empty', '-m', 'More');
    const moved = await checkout.git('-C', other, 'rev-parse', 'HEAD');
    await checkout.git('-C', other, 'push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/part');
    expect((await gate(other, 'release')).json<GateMerge>().skipped).toMatchObject([{ sourceCommit: moved }]);
    expect([...before.keys()]).toEqual(['main', 'part']);
    expect(await readTips(git)).toEqual(before);
  });

  it('are unchanged after lookAtTip reads a remote, which leaves no ref', async () => {
    const { machine, checkout, git } = await setUpGated();
    const before = await checkout.everything();
    const elsewhere = join(machine.home, 'elsewhere.git');
    await checkout.git('init', '--quiet', '--bare', elsewhere);
    await checkout.git('push', '--quiet', elsewhere, 'HEAD:refs/heads/main');
    expect(await lookAtTip(git, elsewhere, 'main')).toBe(await checkout.git('rev-parse', 'HEAD'));
    expect(await lookAtTip(git, elsewhere, 'gone')).toBeUndefined();
    expect(await checkout.everything()).toBe(before);
  });
});
