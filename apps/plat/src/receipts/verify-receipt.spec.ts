import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { ApiClient, type MergeReceipt } from '@plat/api-client';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
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

  /** Verifies a receipt with these facts, signed with a trusted key. */
  async function verified(facts: Partial<MergeReceipt> = {}, unsigned = {}): Promise<VerifiedReceipt> {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA');
    const [tree, parent] = (await checkout.git('log', '-1', '--format=%T %P', landed)).split(' ');
    const statement = {
      ...{ statementVersion: 2, tenantId: ID, reviewId: ID, name: 'Add limits', status: 'MERGED' },
      ...{ sourceBranch: BRANCH, targetBranch: 'main', remoteUrl: checkout.origin, sourceTip: reviewed },
      ...{ targetTip: landed, commitId: landed, treeId: tree, parentCommitId: parent },
      ...{ contentVerdict: 'EXACT', ...facts },
    };
    platform.answer(`GET /v1/reviews/${ID}/merge-receipt`, () => ({ body: receipt }));
    const probe = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
    let receipt: Record<string, unknown> = statement;
    // The platform double adds what an answer lacks, so the receipt is signed as it answers it.
    const { jws: _unsigned, ...whole } = await probe.send<Record<string, unknown>>({
      method: 'GET',
      path: `/v1/reviews/${ID}/merge-receipt`,
    });
    const payload = Buffer.from(JSON.stringify(whole));
    const jws = await new CompactSign(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k' })
      .sign(privateKey);
    receipt = { ...whole, jws, ...unsigned };
    const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'EdDSA', use: 'sig' };
    platform.answer('GET /v1/merge-receipt-keys', { body: { keys: [key] } });
    return verifyReceipt(probe, {
      reviewId: ID,
      logKeys: [],
      configFolder: home,
      interrupted: new AbortController().signal,
      progress: (_what, work) => work,
    });
  }

  const result = ({ findings }: VerifiedReceipt, check: string) =>
    findings.find((finding) => finding.check === check)?.result;

  it('of a source that is the tip of its branch, or on a branch that has moved on', async () => {
    expect(await verified()).toMatchObject({ outcome: 'CONFIRMED' });
    await checkout.git('switch', '--quiet', BRANCH);
    await checkout.commit({ later: 'later\n' }, 'Later');
    await checkout.git('push', '--quiet', 'origin', BRANCH);
    const later = await verified();
    expect({ outcome: later.outcome, source: result(later, 'source') }).toEqual({
      outcome: 'CONFIRMED',
      source: 'ok',
    });
  });

  it('of a statement of the first version, but of no unknown version', async () => {
    expect(await verified({ statementVersion: undefined })).toMatchObject({ outcome: 'CONFIRMED' });
    for (const statementVersion of [0, 1, 3]) {
      const unknown = await verified({ statementVersion });
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
    const refuted = await verified({}, { inclusion });
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
    expect(await verified({ sourceBranch: 'feature/2', sourceTip: landed })).toMatchObject({
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
    const forged = await verified({ sourceTip: landed, ...facts() });
    expect(forged).toMatchObject({ outcome: 'NOT_CONFIRMED', confirmed: false });
    expect(forged.findings.filter(({ result: found }) => found === 'failed')).toEqual([]);
  });

  it('never of a source that its branch no longer has', async () => {
    await checkout.git('push', '--quiet', '--force', 'origin', `main~1:${BRANCH}`);
    const rewritten = await verified();
    expect({ outcome: rewritten.outcome, source: result(rewritten, 'source') }).toEqual({
      outcome: 'NOT_CONFIRMED',
      source: 'undecided',
    });
  });
});
