import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { besideGit } from '../black-box/beside-git';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { requireCleanTree } from './checkout';
import type { GateMerge } from './gate-merge';
import { gitIn } from './git';
import { requireStanding } from './standing';

describe('a checkout with a submodule', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** `part` moves the submodule to a commit that the checkout does not have yet. */
  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await appendFile(join(machine.home, '.gitconfig'), '[protocol "file"]\n\tallow = always\n');
    const library = join(machine.home, 'library');
    await checkout.git('init', '--quiet', library);
    const release = (name: string) =>
      checkout.git('-C', library, 'commit', '--quiet', '--allow-empty', '-m', name);
    await release('One');
    await checkout.git('submodule', '--quiet', 'add', library, 'library');
    await checkout.git('config', 'diff.ignoreSubmodules', 'all');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    const elsewhere = join(machine.home, 'elsewhere');
    await checkout.git('clone', '--quiet', '--recurse-submodules', checkout.origin, elsewhere);
    await release('Two');
    await checkout.git('-C', `${elsewhere}/library`, 'pull', '--quiet', 'origin', 'main');
    await checkout.git('-C', elsewhere, 'commit', '--quiet', '--all', '-m', 'Two');
    await checkout.git('-C', elsewhere, 'push', '--quiet', 'origin', 'HEAD:refs/heads/part');
    const inLibrary = (...args: string[]) => checkout.git('-C', 'library', ...args);
    return { machine, checkout, git: gitIn(checkout.folder), inLibrary };
  }

  it("is merged, checked out and restored with the submodule at the commit's version", async () => {
    const { machine, checkout, inLibrary } = await setUp();
    const gate = (env: Record<string, string>) =>
      machine.plat(['exec', 'gate-merge', '--source=part', '--json'], {
        cwd: checkout.folder,
        input: 'Part',
        env,
      });
    const failed = await gate(await besideGit(machine, 'symbolic-ref', 'exit 1'));
    expect(failed.json()).toMatchObject({ code: 'GIT_FAILED' });
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('One');
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
    const run = await gate({});
    expect(run.json<GateMerge>().merged).toHaveLength(1);
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('Two');
  });

  it('is not clean while the submodule is at another commit, or changed', async () => {
    const { checkout, git, inLibrary } = await setUp();
    const head = await checkout.git('rev-parse', 'HEAD');
    await expect(requireCleanTree(git)).resolves.toMatchObject({ commit: head });
    await writeFile(join(checkout.folder, 'library', 'built.txt'), 'built\n');
    await expect(requireCleanTree(git)).rejects.toMatchObject({ details: { files: ['library'] } });
    // A gate may leave untracked files there.
    await expect(requireStanding(git, 'main', head)).resolves.toBeUndefined();
    await inLibrary('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    await expect(requireStanding(git, 'main', head)).rejects.toMatchObject({ code: 'GATE_CHANGED_FILES' });
  });
});
