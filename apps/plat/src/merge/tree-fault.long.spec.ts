import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MadeFiles, makeBranch, UNUSABLE_FILES } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';

describe('a source that no machine can check out', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-fault-'));
    checkout = await GateCheckout.create({ home } as Machine);
    await checkout.branch('good', { 'good.txt': 'good\n' });
  });
  afterEach(() => rm(home, { recursive: true }));

  const merge = (...sources: string[]) => {
    const messages = (found: readonly string[]) => Promise.resolve(new Map(found.map((one) => [one, one])));
    const input = { sources, targetBranch: 'main', messages };
    return gateMerge(gitIn(checkout.folder), input, (_step, work) => work);
  };
  const push = (files: MadeFiles) => makeBranch({ bare: checkout.origin, branch: 'bad', files });

  it.each(Object.entries(UNUSABLE_FILES))('is skipped with the reason: %s', async (_what, files) => {
    await push(files);
    const { skipped, merged } = await merge('bad', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'bad', reason: 'unusable' }]);
    expect(skipped[0]?.detail).toMatch(/too long|[Ii]nvalid path/);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await checkout.git('stash', 'list')).toBe('');
  });
});
