import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { compareLanded } from './landed-commits';

describe('the commits that a receipt names besides the reported one', () => {
  let home: string;
  /** One after the other on main. */
  const commits: string[] = [];
  const compare = (facts: Partial<MergeReceipt>) =>
    compareLanded({ git: gitIn(join(home, 'checkout')), targetTip: commits.at(-1)! }, facts as MergeReceipt);
  const earlier = (commitId: string) => [{ kind: 'earlier' as const, path: 'a', commitId }];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-landed-commits-'));
    const checkout = await GateCheckout.create({ home } as Machine);
    for (const name of ['anchor', 'first', 'second']) {
      commits.push(await checkout.commit({ [name]: name }, name));
    }
  });
  afterAll(() => rm(home, { recursive: true }));

  it('lie between the merge before and the reported one', async () => {
    const [anchorCommitId, first, commitId] = commits as [string, string, string];
    expect(await compare({ anchorCommitId, commitId, landedCommitId: first })).toContain(first);
    expect(await compare({ anchorCommitId, commitId, findings: earlier(first) })).toContain(first);
    expect(await compare({ anchorCommitId, commitId })).toBeUndefined();
  });

  it('lie after the reported one if that is the source, which the landed one merged', async () => {
    const [anchorCommitId, commitId, landedCommitId] = commits as [string, string, string];
    const facts = { anchorCommitId, commitId, landedCommitId };
    expect(await compare({ ...facts, sourceTip: commitId })).toContain(landedCommitId);
    await expect(compare(facts)).rejects.toMatchObject({ code: 'RECEIPT_NOT_BORNE_OUT' });
  });

  it.each([
    ['is the merge before', 0],
    ['is not in the history', undefined],
  ])('are not borne out if one %s', async (_what, at) => {
    const [anchorCommitId, , commitId] = commits as [string, string, string];
    const other = at === undefined ? 'a'.repeat(40) : commits[at]!;
    for (const facts of [{ landedCommitId: other }, { findings: earlier(other) }]) {
      await expect(compare({ anchorCommitId, commitId, ...facts })).rejects.toMatchObject({
        code: 'RECEIPT_NOT_BORNE_OUT',
      });
    }
  });
});
