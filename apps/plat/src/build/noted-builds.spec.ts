import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { checkoutFolder } from '../checkout/checkout-lock';
import { gitIn } from '../git/git';
import { findNotedBuild, runNotedBuild } from './noted-builds';

describe('the note of a build', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-noted-'));
    checkout = await GateCheckout.create({ home } as Machine);
  });
  afterEach(() => rm(home, { recursive: true }));

  const git = () => gitIn(checkout.folder);
  const head = () => checkout.git('rev-parse', 'HEAD');
  const build = (version: string, work: () => Promise<unknown> = () => Promise.resolve()) =>
    runNotedBuild(git(), async () => {
      await work();
      return { version };
    });
  const findNoted = async () => findNotedBuild(git(), await head());

  it('is kept for the commit, and the newest counts', async () => {
    await build('1.0.0');
    await build('1.0.1');
    expect(await findNoted()).toEqual({ commitId: await head(), version: '1.0.1' });
    await checkout.commit({ 'more.txt': 'more\n' }, 'More');
    expect(await findNoted()).toBeUndefined();
  });

  it('is not made of a checkout with changes, or if the commit changed meanwhile', async () => {
    await build('1.0.0', () => checkout.commit({ 'more.txt': 'more\n' }, 'More'));
    expect(await findNoted()).toBeUndefined();
    await writeFile(join(checkout.folder, 'new.txt'), 'new\n');
    await build('1.0.0');
    expect(await findNoted()).toBeUndefined();
  });

  it('is removed by a later failure of the same commit', async () => {
    await build('1.0.0');
    await expect(build('1.0.1', () => Promise.reject(new Error('red')))).rejects.toThrow('red');
    expect(await findNoted()).toBeUndefined();
  });

  it('that was changed by hand counts for nothing, and does not stop a build', async () => {
    await build('1.0.0');
    await writeFile(join(checkout.folder, '.git/plat/builds.json'), '[{"commitId":7},null');
    expect(await findNoted()).toBeUndefined();
    await build('1.0.1');
    expect(await findNoted()).toMatchObject({ version: '1.0.1' });
  });

  it('is none if a pipe or a huge file is in its place', async () => {
    await build('1.0.0');
    const path = join(await checkoutFolder(git()), 'builds.json');
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
    expect(await findNoted()).toBeUndefined();
    await rm(path);
    await writeFile(path, '[]');
    await truncate(path, 2 ** 40);
    expect(await findNoted()).toBeUndefined();
  });
});
