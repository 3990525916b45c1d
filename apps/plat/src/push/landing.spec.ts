import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { carries, findLanding, isAncestor } from './landing';

describe('whether a source has landed', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** `source` parted from main two commits before its tip, and was squashed into it. */
  async function setUpLanded() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const source = await checkout.branch('source', { 'numbers.txt': lines(1, 40, { 3: 'three' }) });
    const before = await checkout.commit({ 'other.txt': 'other\n' }, 'Other');
    await checkout.git('merge', '--quiet', '--squash', 'source');
    await checkout.git('commit', '--quiet', '-m', 'Source');
    await checkout.git('push', '--quiet', 'origin', 'main');
    return { machine, checkout, source, before, tip: await checkout.git('rev-parse', 'main') };
  }

  it("is decided by the commit's content; a source that conflicts or shares no history has not landed", async () => {
    const { checkout, source, before, tip } = await setUpLanded();
    const git = gitIn(checkout.folder);
    expect([await carries(git, tip, source), await carries(git, before, source)]).toEqual([true, false]);
    const other = await checkout.git('commit-tree', '-m', 'Begins', `${source}^{tree}`);
    expect(await carries(git, other, source)).toBe(false);
    const clash = await checkout.branch('clash', { 'numbers.txt': lines(1, 40, { 3: 'drei' }) });
    expect(await carries(git, clash, source)).toBe(false);
  });

  it('a missing commit is no ancestor of an existing one', async () => {
    const { checkout, tip } = await setUpLanded();
    const git = gitIn(checkout.folder);
    expect(await isAncestor(git, 'c'.repeat(40), tip)).toBe(false);
    await expect(isAncestor(git, tip, 'c'.repeat(40))).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  it('is not decided in a shallow checkout', async () => {
    const { machine, checkout, source, before, tip } = await setUpLanded();
    const folder = join(machine.home, 'shallow');
    await checkout.git(
      'clone',
      '--quiet',
      '--depth=1',
      '--no-single-branch',
      `file://${checkout.origin}`,
      folder,
    );
    const git = gitIn(folder);
    const shallow = { code: 'SHALLOW_CHECKOUT', next: expect.stringContaining('git fetch --unshallow') };
    await expect(isAncestor(git, before, tip)).rejects.toMatchObject(shallow);
    await expect(carries(git, tip, source)).rejects.toMatchObject(shallow);
    const question = { sourceBranch: 'source', sourceCommit: source, targetBranch: 'main', remote: 'origin' };
    await expect(findLanding(git, question)).rejects.toMatchObject(shallow);
    await checkout.git('-C', folder, 'fetch', '--quiet', '--unshallow');
    expect(await findLanding(git, question)).toBe(tip);
  });
});
