import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { requireCleanTree } from './checkout';
import { restoreAfter } from './checkout-state';

describe('a checkout after a failed gate', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** A checkout with a local branch `target`, in which a gate starts from the state that `prepare` makes, and fails. */
  async function failGate(prepare: (checkout: GateCheckout) => Promise<unknown>, targetExists = true) {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    if (targetExists) await checkout.git('branch', 'target');
    await prepare(checkout);
    const git = gitIn(checkout.folder);
    const head = await requireCleanTree(git);
    const target = {
      branch: 'target',
      commit: targetExists ? await checkout.git('rev-parse', 'target') : undefined,
    };
    const before = await checkout.everything();
    await checkout.git('checkout', '--quiet', '--detach');
    const movedTo = await checkout.commit({ 'a.txt': 'a\n', 'numbers.txt': 'changed\n' }, 'Half a gate');
    await checkout.git('update-ref', 'refs/heads/target', movedTo);
    await checkout.git('symbolic-ref', 'HEAD', 'refs/heads/target');
    return { checkout, git, before, state: { ...head, target, made: [movedTo], movedTo } };
  }

  it.each<[string, (checkout: GateCheckout) => Promise<unknown>]>([
    ['on another branch', async () => undefined],
    ['on the target itself', (checkout) => checkout.git('switch', '--quiet', 'target')],
    ['with a detached HEAD', (checkout) => checkout.git('checkout', '--quiet', '--detach')],
  ])('is as before %s, including the local target', async (_where, prepare) => {
    const { checkout, git, before, state } = await failGate(prepare);
    const failure = new Error('the gate failed');
    expect(await restoreAfter(failure, git, state)).toBe(failure);
    expect(await checkout.everything()).toBe(before);
  });

  it('has no local target if there was none', async () => {
    const { checkout, git, before, state } = await failGate(async () => undefined, false);
    await restoreAfter(new Error('the gate failed'), git, state);
    expect(await checkout.everything()).toBe(before);
  });

  it('keeps what a person changed meanwhile, and names the stash entry with it', async () => {
    const { checkout, git, before, state } = await failGate(async () => undefined);
    await writeFile(join(checkout.folder, 'README.md'), 'mine\n');
    await writeFile(join(checkout.folder, 'untracked.txt'), 'mine too\n');
    const failure = (await restoreAfter(
      new Failure('GATE_FAILED', 'The gate failed.'),
      git,
      state,
    )) as Failure;
    const { keptChanges } = failure.details as { keptChanges: string };
    expect(failure).toMatchObject({
      code: 'GATE_FAILED',
      next: expect.stringContaining(`git stash apply ${keptChanges}`),
    });
    await checkout.git('stash', 'apply', keptChanges);
    expect(await readFile(join(checkout.folder, 'README.md'), 'utf8')).toBe('mine\n');
    expect(await readFile(join(checkout.folder, 'untracked.txt'), 'utf8')).toBe('mine too\n');
    await checkout.git('reset', '--hard', '--quiet');
    await checkout.git('clean', '--force', '--quiet');
    await checkout.git('stash', 'clear');
    expect(await checkout.everything()).toBe(before);
  });

  it('keeps nothing of an interrupted checkout', async () => {
    const { checkout, git, before, state } = await failGate(async () => undefined);
    // Files are written before the index and HEAD.
    await checkout.git('checkout', '--quiet', 'main');
    await checkout.git('update-ref', 'refs/heads/target', state.target.commit!);
    await writeFile(join(checkout.folder, 'numbers.txt'), 'changed\n');
    await writeFile(join(checkout.folder, 'a.txt'), 'a\n');
    const failure = new Error('stopped');
    expect(await restoreAfter(failure, git, state)).toBe(failure);
    expect(await checkout.everything()).toBe(before);
  });

  it('stays where a person moved it', async () => {
    const { checkout, git, state } = await failGate(async () => undefined);
    await checkout.git('checkout', '--quiet', '--detach');
    await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    const before = await checkout.everything();
    expect(await restoreAfter(new Error('stopped'), git, state)).toMatchObject({
      code: 'CHECKOUT_NOT_RESTORED',
    });
    expect(await checkout.everything()).toBe(before);
  });

  it('that cannot be restored reports both reasons, and the command that restores it', async () => {
    const { git, state } = await failGate(async () => undefined);
    const gone = { ...state, branch: 'gone' };
    const failure = await restoreAfter(new Error('The gate failed.'), git, gone);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      code: 'CHECKOUT_NOT_RESTORED',
      message: expect.stringMatching(
        /^The gate failed\. The checkout was left in the middle of it: git checkout /,
      ),
      next: expect.stringMatching(/git checkout gone$/),
    });
  });
});
