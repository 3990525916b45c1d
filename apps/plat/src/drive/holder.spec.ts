import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, placeOfHolder } from './holder';

describe('the holder of a gate run', () => {
  let folder: string;
  const own = (name: string) => join(folder, name, '.git', 'plat');
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-holder-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is the same at each drive of a checkout', async () => {
    expect(await holderOf('me', '/app', own('one'))).toBe(await holderOf('me', '/app', own('one')));
  });

  it('differs on another machine with the same names of person, machine and folder', async () => {
    expect(await holderOf('me', '/app', own('one'))).not.toBe(await holderOf('me', '/app', own('two')));
  });

  it('differs in a copy of the checkout', async () => {
    const one = await holderOf('me', '/app', own('one'));
    await cp(join(folder, 'one'), join(folder, 'copy'), { recursive: true });
    expect(await holderOf('me', '/app', own('copy'))).not.toBe(one);
    expect(await holderOf('me', '/app', own('one'))).toBe(one);
  });

  it("distinguishes checkouts with paths of any length, within the platform's limit", async () => {
    const [one, two] = [
      await holderOf('me', `/${'a'.repeat(600)}`, own('one')),
      await holderOf('me', `/${'a'.repeat(600)}`, own('two')),
    ];
    expect(one).not.toBe(two);
    expect([one.length, two.length]).toEqual([512, 512]);
  });

  it('of a platform that is hostile is read in proportion to its length', () => {
    const { user } = process.cpuUsage();
    expect(placeOfHolder('@a:'.repeat(60_000))).toBeUndefined();
    expect(process.cpuUsage().user - user).toBeLessThan(500_000);
  });
});
