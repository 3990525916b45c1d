import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type MergeReceipt } from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
import { serveReceipt } from '../black-box/served-receipt';
import { gitIn } from '../git/git';
import type { ReceiptSubject } from './receipt-subject';
import { type VerifiedReceipt, verifyReceipt } from './verify-receipt';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const BRANCH = 'feature/1';

describe('a receipt is confirmed', () => {
  let home: string;
  let checkout: GateCheckout;
  let platform: PlatformDouble;
  let reviewed: string;
  let landed: string;

  /** A review that was landed by a squash merge. */
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-receipt-spec-'));
    checkout = await GateCheckout.create({ home } as Machine);
    platform = await PlatformDouble.start();
    reviewed = await checkout.branch(BRANCH, { 'limits.txt': 'limits\n' });
    await checkout.git('merge', '--quiet', '--squash', BRANCH);
    await checkout.git('commit', '--quiet', '-m', 'Add limits');
    await checkout.git('push', '--quiet', 'origin', 'main');
    landed = await checkout.git('rev-parse', 'HEAD');
  });
  afterEach(async () => {
    await platform.close();
    await rm(home, { recursive: true });
  });

  const identity = () => canonicalRepository(checkout.origin)!;
  /** The person's own checkout of the repository. */
  const own = () => ({ checkout: { git: gitIn(checkout.folder), repository: identity() } });
  const elsewhere = 'https://git.example.com/acme/other';

  interface Given {
    unsigned?: object;
    /** The words of the person, other than the review by its id and the repository by its origin. */
    subject?: Partial<ReceiptSubject>;
  }

  /** Verifies a receipt with these facts, signed with a trusted key. */
  async function verifyWith(
    facts: Partial<MergeReceipt> = {},
    { unsigned = {}, subject }: Given = {},
  ): Promise<VerifiedReceipt> {
    const [tree, parent] = (await checkout.git('log', '-1', '--format=%T %P', landed)).split(' ');
    const statement = {
      ...{ statementVersion: 1, tenantId: ID, reviewId: ID, name: 'Add limits', status: 'MERGED' },
      ...{ sourceBranch: BRANCH, targetBranch: 'main', remoteUrl: checkout.origin, sourceTip: reviewed },
      ...{ targetTip: landed, commitId: landed, treeId: tree, parentCommitId: parent },
      ...{ contentVerdict: 'EXACT', ...facts },
    };
    await serveReceipt(platform, statement, unsigned);
    const probe = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
    return verifyReceipt(probe, {
      subject: { reviewId: ID, name: ID, repository: { identity: identity() }, ...subject },
      logKeys: [],
      configFolder: home,
      interrupted: new AbortController().signal,
      progress: (_what, work) => work,
    });
  }

  const result = ({ findings }: VerifiedReceipt, check: string) =>
    findings.find((finding) => finding.check === check)?.result;

  it('refuses to judge a statement of an unknown version', async () => {
    for (const statementVersion of [0, 2]) {
      const unknown = await verifyWith({ statementVersion });
      expect(unknown.outcome).toBe('NOT_CONFIRMED');
      expect(unknown.findings.map(({ check, result: found }) => [check, found])).toEqual([
        ['statement', 'undecided'],
        ['signature', 'ok'],
        ['review', 'ok'],
      ]);
    }
  });

  it('by a signature that leaves out the proof of inclusion, which is judged by itself', async () => {
    const inclusion = { index: 1, leaf: '{}', salt: '', hashes: [], checkpoint: '' };
    const refuted = await verifyWith({}, { unsigned: { inclusion } });
    expect(refuted.outcome).toBe('REFUTED');
    expect({ signature: result(refuted, 'signature'), inclusion: result(refuted, 'inclusion') }).toEqual({
      signature: 'ok',
      inclusion: 'failed',
    });
  });

  it('of a branch that landed unchanged', async () => {
    await checkout.branch('feature/2', { 'clock.txt': 'clock\n' });
    await checkout.git('merge', '--quiet', '--ff-only', 'feature/2');
    await checkout.git('push', '--quiet', 'origin', 'main');
    landed = await checkout.git('rev-parse', 'HEAD');
    expect(await verifyWith({ sourceBranch: 'feature/2', sourceTip: landed })).toMatchObject({
      outcome: 'CONFIRMED',
    });
  });

  it.each<[string, () => Promise<unknown>, () => Partial<MergeReceipt>]>([
    ['the landed commit itself, which its branch does not have', async () => undefined, () => ({})],
    [
      'the landed commit itself, which is on its branch because the target was merged into it',
      async () => {
        await checkout.git('switch', '--quiet', BRANCH);
        await checkout.git('merge', '--quiet', '--no-edit', 'main');
        await checkout.git('push', '--quiet', 'origin', BRANCH);
      },
      () => ({}),
    ],
    [
      'the landed commit itself, and the branch is gone',
      () => checkout.git('push', '--quiet', 'origin', `:${BRANCH}`),
      () => ({}),
    ],
    [
      'the landed commit itself, on a branch that was made from the target and has moved on',
      async () => {
        await checkout.git('switch', '--quiet', '--create', 'release-2', landed);
        await checkout.commit({ later: 'later\n' }, 'Later');
        await checkout.git('push', '--quiet', 'origin', 'release-2');
      },
      () => ({ sourceBranch: 'release-2' }),
    ],
    ['the target branch', async () => undefined, () => ({ sourceBranch: 'main' })],
  ])('never of a source that is %s', async (_what, since, facts) => {
    await since();
    const forged = await verifyWith({ sourceTip: landed, ...facts() });
    expect(forged).toMatchObject({ outcome: 'NOT_CONFIRMED', confirmed: false });
    expect(forged.findings.filter(({ result: found }) => found === 'failed')).toEqual([]);
  });

  it('never of a source that its branch no longer has', async () => {
    await checkout.git('push', '--quiet', '--force', 'origin', `main~1:${BRANCH}`);
    const rewritten = await verifyWith();
    expect({ outcome: rewritten.outcome, source: result(rewritten, 'source') }).toEqual({
      outcome: 'NOT_CONFIRMED',
      source: 'undecided',
    });
  });

  describe('is about what the person named', () => {
    const failing = ({ outcome, findings }: VerifiedReceipt) => ({
      outcome,
      failed: findings
        .filter(({ result: found }) => found === 'failed')
        .map(({ check, code }) => [check, code]),
    });

    it.each<[string, Partial<ReceiptSubject>, string, string]>([
      ['another branch', { name: 'feature/9-z' }, 'review', 'RECEIPT_OF_ANOTHER_REVIEW'],
      ['another part of an id', { name: 'ffffff' }, 'review', 'RECEIPT_OF_ANOTHER_REVIEW'],
      ['another target', { targetBranch: 'release' }, 'review', 'RECEIPT_OF_ANOTHER_REVIEW'],
      ['another commit', { sourceCommit: 'a'.repeat(40) }, 'source', 'RECEIPT_NOT_BORNE_OUT'],
      [
        'another repository',
        { repository: { identity: elsewhere } },
        'repository',
        'RECEIPT_OF_ANOTHER_REPOSITORY',
      ],
    ])('and is refuted if the person named %s', async (_what, subject, check, code) => {
      expect(failing(await verifyWith({}, { subject }))).toEqual({
        outcome: 'REFUTED',
        failed: [[check, code]],
      });
    });

    it('and is not confirmed if nothing names the repository, which the finding shows', async () => {
      const unnamed = await verifyWith({}, { subject: { repository: { unnamed: 'No checkout.' } } });
      expect(unnamed.outcome).toBe('NOT_CONFIRMED');
      expect(unnamed.findings.filter(({ result: found }) => found !== 'ok' && found !== 'skipped')).toEqual([
        {
          ...{ check: 'repository', result: 'undecided' },
          detail: `${identity()}; main is at ${landed}; no repository was named to compare it with: No checkout.`,
          next: `if that is the repository that you mean, repeat the command with --repository ${identity()}`,
        },
      ]);
    });
  });

  describe('after its source branch was deleted', () => {
    beforeEach(() => checkout.git('push', '--quiet', 'origin', `:${BRANCH}`));

    it("by the branch of the person's own checkout", async () => {
      const known = await verifyWith({}, { subject: own() });
      expect({ outcome: known.outcome, source: result(known, 'source') }).toEqual({
        ...{ outcome: 'CONFIRMED', source: 'ok' },
      });
    });
  });

  it('never of a landing that has more than was reviewed, whatever the receipt says of it', async () => {
    await checkout.branch('feature/2', { 'clock.txt': 'clock\n' });
    await checkout.git('switch', '--quiet', 'main');
    await checkout.git('merge', '--quiet', '--squash', 'feature/2');
    await checkout.commit({ 'door.txt': 'door\n' }, 'Add clock');
    await checkout.git('push', '--quiet', 'origin', 'main');
    landed = await checkout.git('rev-parse', 'HEAD');
    const source = { sourceBranch: 'feature/2', sourceTip: await checkout.git('rev-parse', 'feature/2') };
    for (const contentVerdict of ['EXACT', 'SAME_CHANGE', 'BY_HAND', 'UNKNOWN'] as const) {
      const more = await verifyWith({ ...source, contentVerdict });
      expect(more).toMatchObject({ outcome: 'REFUTED' });
      expect(more.findings.find(({ check }) => check === 'content')).toMatchObject({
        code: 'RECEIPT_NOT_BORNE_OUT',
        detail: expect.stringContaining('door.txt') as unknown,
      });
    }
    expect(await verifyWith({ ...source, contentVerdict: 'DIVERGENT' })).toMatchObject({
      outcome: 'REFUTED',
      findings: expect.arrayContaining([expect.objectContaining({ code: 'CONTENT_DIVERGES' })]) as unknown,
    });
  });

  it('never of a repository that cannot be read, which refutes nothing', async () => {
    await rm(checkout.origin, { recursive: true });
    const unread = await verifyWith();
    expect({ outcome: unread.outcome, repository: result(unread, 'repository') }).toEqual({
      outcome: 'NOT_CONFIRMED',
      repository: 'undecided',
    });
  });

  it('and its remote is read only if the signature holds', async () => {
    const nowhere = {
      unsigned: { remoteUrl: `${home}/nowhere` },
      subject: { repository: { unnamed: 'None.' } },
    };
    const unsigned = await verifyWith({}, nowhere);
    expect(unsigned.outcome).toBe('REFUTED');
    expect(unsigned.findings).toContainEqual({
      ...{ check: 'repository', result: 'skipped', detail: 'it is read only if the signature holds' },
    });
  });

  it('never of the target branch itself, also if the receipt names no reviewed commit', async () => {
    const forged = await verifyWith({ sourceBranch: 'main', sourceTip: undefined });
    expect(forged.outcome).toBe('NOT_CONFIRMED');
  });
});
