import { besideGit } from '../black-box/beside-git';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { lookAtTip } from './gate-refs';

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

  it('do not mix with the refs of looks: those of killed looks are removed, those of running ones stay', async () => {
    const { machine, checkout, git } = await setUpGated();
    const merge = await checkout.git('rev-parse', 'HEAD');
    const looks = async () =>
      (await checkout.git('for-each-ref', '--format=%(refname)', 'refs/worktree/plat/look')).split('\n');
    const killed = await machine.plat(['exec', 'push', '--target-branch=main', `--commit-id=${merge}`], {
      cwd: checkout.folder,
      env: await besideGit(machine, '-d', 'kill -9 $PPID; exit 0'),
    });
    expect(killed.code).toBeNull();
    const [left = ''] = await looks();
    const [, space = '', since = ''] = /^(.+)\/\d+\/(\d+)\/[^/]+$/.exec(left) ?? [];
    const elsewhere = space.replace(/[^/]+$/, '0'.repeat(16));
    const day = 24 * 3_600_000;
    const living = [`${space}/${process.pid}/${since}/a`, `${elsewhere}/1/${since}/b`];
    const gone = `${elsewhere}/1/${Number(since) - day}/c`;
    for (const ref of [...living, gone]) await checkout.git('update-ref', ref, merge);
    await lookAtTip(git, 'origin', 'main');
    expect((await looks()).sort()).toEqual(living.sort());
  });
});
