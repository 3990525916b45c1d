import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { Failure } from '../terminal/failure';
import { requireCleanTree } from './checkout';
import { restoreAfter } from './checkout-state';
import { gitIn } from './git';

describe('a checkout after a gate that failed', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** A checkout with a local branch `target`, in which a gate goes on from where `prepare` leaves it, and fails. */
  async function failedGate(prepare: (checkout: GateCheckout) => Promise<unknown>, targetExists = true) {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    if (targetExists) await checkout.git('branch', 'target');
    await prepare(checkout);
    const git = gitIn(checkout.folder);
    const head = await requireCleanTree(git);
    const target = {
      branch: 'target',
      ...(targetExists && { commit: await checkout.git('rev-parse', 'target') }),
    };
    const before = await checkout.everything();
    await checkout.git('checkout', '--quiet', '-B', 'target');
    await checkout.commit({ 'a.txt': 'a\n' }, 'Half a gate');
    return { checkout, git, before, state: { ...head, target } };
  }

  it.each<[string, (checkout: GateCheckout) => Promise<unknown>]>([
    ['on another branch', async () => undefined],
    ['on the target itself', (checkout) => checkout.git('switch', '--quiet', 'target')],
    ['with a detached HEAD', (checkout) => checkout.git('checkout', '--quiet', '--detach')],
  ])('stands as before %s, the local target included', async (_where, prepare) => {
    const { checkout, git, before, state } = await failedGate(prepare);
    const failure = new Error('the gate failed');
    expect(await restoreAfter(failure, git, state)).toBe(failure);
    expect(await checkout.everything()).toBe(before);
  });

  it('has no local target where there was none', async () => {
    const { checkout, git, before, state } = await failedGate(async () => undefined, false);
    await restoreAfter(new Error('the gate failed'), git, state);
    expect(await checkout.everything()).toBe(before);
  });

  it('that cannot be put back tells both reasons, and the command that does it', async () => {
    const { git, state } = await failedGate(async () => undefined);
    const gone = { ...state, commit: 'b'.repeat(40) };
    const failure = await restoreAfter(new Error('The gate failed.'), git, gone);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      code: 'CHECKOUT_NOT_RESTORED',
      message: expect.stringMatching(
        /^The gate failed\. The checkout was left in the middle of it: git checkout /,
      ),
      next: 'git reset --hard && git checkout main',
    });
  });
});
