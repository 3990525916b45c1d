import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { keepChanges, putBack } from './kept-changes';

describe('changes of a person that a gate keeps', () => {
  let machine: Machine;
  let checkout: GateCheckout;
  beforeAll(async () => {
    machine = await Machine.create();
    checkout = await GateCheckout.create(machine);
  });
  afterAll(() => machine.remove());

  it('are restored from their own stash entry, even after later entries', async () => {
    const git = gitIn(checkout.folder);
    const write = (text: string) => writeFile(join(checkout.folder, 'README.md'), text);
    const entries = () => checkout.git('stash', 'list', '--format=%gs');
    await write('kept\n');
    const kept = await keepChanges(git, []);
    await write('theirs\n');
    await checkout.git('stash', 'push', '--quiet', '--message', 'theirs');
    expect(await putBack(git, kept!)).toBe(true);
    expect(await readFile(join(checkout.folder, 'README.md'), 'utf8')).toBe('kept\n');
    expect(await entries()).toMatch(/^On \S+: theirs$/);
  });

  it('are none if nothing is changed, for any stash', async () => {
    const git = gitIn(checkout.folder);
    await checkout.git('reset', '--quiet', '--hard');
    expect(await keepChanges(git, [])).toBeUndefined();
    expect(await checkout.git('stash', 'list', '--format=%gs')).toMatch(/theirs$/);
  });
});
