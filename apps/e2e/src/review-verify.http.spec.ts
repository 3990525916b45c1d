import { writeFile } from 'node:fs/promises';
import { type Checkout, DriveStand, waitForExit } from './drive-stand';

jest.setTimeout(120_000);

interface Verification {
  confirmed: boolean;
  outcome: string;
  repository: string;
  sourceBranch: string;
  targetBranch: string;
  receipt: Record<string, unknown>;
  findings: { check: string; result: string; detail: string; next?: string; code?: string }[];
}

describe('plat review verify', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  /** Lands a review as a gate does, and reports it. */
  async function land(checkout: Checkout, reviewId: string, merge: () => Promise<unknown>): Promise<void> {
    await merge();
    await checkout.git('push', '--quiet', 'origin', 'main');
    const commitId = await checkout.git('rev-parse', 'main');
    const build = { kind: 'GATE', successful: true, commitId };
    const { body } = await stand.service.send('alice', `POST /v1/reviews/${reviewId}/builds`, build);
    const { buildId } = body as { buildId: string };
    const report = { status: 'MERGED', buildId, remoteUrl: checkout.remote };
    const { status } = await stand.service.send('alice', `PATCH /v1/reviews/${reviewId}/status`, report);
    expect(status).toBe(200);
  }

  const squash = (checkout: Checkout, branch: string) => async () => {
    await checkout.git('merge', '--quiet', '--squash', branch);
    await checkout.git('commit', '--quiet', '-m', `Land ${branch}`);
  };

  async function verify(checkout: Checkout, ...args: string[]) {
    const { code, stdout, stderr } = await checkout.plat(['review', 'verify', ...args]);
    if (!stdout.includes('findings')) throw new Error(`${stdout}${stderr}`);
    const verification = JSON.parse(stdout) as Verification;
    const failed = verification.findings.filter(({ result }) => result === 'failed');
    return { code, ...verification, failed };
  }

  /** Asks for the receipt until its landing is sealed. */
  async function untilSealed(reviewId: string): Promise<void> {
    for (;;) {
      const { body } = await stand.service.send('alice', `GET /v1/reviews/${reviewId}/merge-receipt`);
      if ((body as { inclusion?: object }).inclusion !== undefined) return;
    }
  }

  it('confirms a sound merge by its signature, its place in the sealed log, commits and content', async () => {
    const checkout = await stand.repository('sound');
    const id = await checkout.propose('feature/1-sound', { 'README.md': 'sound\n' });
    await land(checkout, id, squash(checkout, 'feature/1-sound'));
    await untilSealed(id);
    const { code, confirmed, findings, receipt, repository, sourceBranch, targetBranch } = await verify(
      checkout,
      id,
    );
    expect(findings.map(({ check, result }) => [check, result])).toEqual([
      ['statement', 'ok'],
      ['signature', 'ok'],
      ['review', 'ok'],
      ['inclusion', 'ok'],
      ['repository', 'ok'],
      ['target tip', 'ok'],
      ['commit', 'ok'],
      ['parent and tree', 'ok'],
      ['anchor', 'skipped'],
      ['landed commit', 'skipped'],
      ['source', 'ok'],
      ['recipe', 'ok'],
      ['content', 'ok'],
    ]);
    expect({ code, confirmed }).toEqual({ code: 0, confirmed: true });
    expect(receipt.contentVerdict).toBe('EXACT');
    const text = await waitForExit(stand.start(['review', 'verify', id], checkout.folder));
    expect(text.stdout).toMatch(/^statement\tok\tversion 1\t.*\nsignature\tok\tby /);
    expect(text.stdout).toContain(`review\tok\t${id}: feature/1-sound onto main\t`);
    expect(text.stderr).toContain(
      `The receipt says that feature/1-sound at ${String(receipt.sourceTip)} landed on main of ${repository}.\n`,
    );
    expect({ repository, sourceBranch, targetBranch }).toEqual({
      ...{
        repository: checkout.remote.replace(/\.git$/, ''),
        sourceBranch: 'feature/1-sound',
        targetBranch: 'main',
      },
    });
  });

  it('reports a merge that landed only a part of the review, although it was accepted', async () => {
    const checkout = await stand.repository('partial');
    const id = await checkout.propose('feature/3-partial', { 'README.md': 'one\n', more: 'more\n' });
    await land(checkout, id, () => checkout.commit({ 'README.md': 'one\n' }, 'Land a part'));
    const { code, failed, receipt } = await verify(checkout, id);
    expect(receipt).toMatchObject({ contentVerdict: 'DIVERGENT', contentReason: 'source_change_missing' });
    expect(code).toBe(1);
    expect(failed).toEqual([
      expect.objectContaining({
        check: 'content',
        detail: expect.stringMatching(
          /DIVERGENT \(source_change_missing\); missing more.*the landed tree differs from the merge in more/,
        ) as unknown,
        next: expect.stringContaining('repair the target branch') as unknown,
      }),
    ]);
  });

  describe('trusts no service', () => {
    type Receipt = Record<string, unknown>;
    let checkout: Checkout;
    let id: string;
    beforeAll(async () => {
      checkout = await stand.repository('tampered');
      id = await checkout.propose('feature/5-tampered', { 'README.md': 'x\n' });
      await land(checkout, id, squash(checkout, 'feature/5-tampered'));
    });
    afterEach(() => tamper((receipt) => receipt));

    /** From now on the client gets changed receipts. */
    const tamper = (change: (receipt: Receipt) => Receipt) =>
      stand.proxy.changeAnswers(/merge-receipt$/, change);

    const payloadOf = (statement: Receipt) => Buffer.from(JSON.stringify(statement)).toString('base64url');

    it.each<[string, (receipt: Receipt) => Receipt]>([
      ['a field that was changed', (receipt) => ({ ...receipt, contentVerdict: 'SAME_CHANGE' })],
      ['a field that was added', (receipt) => ({ ...receipt, anchorCommitId: 'a'.repeat(40) })],
      [
        'the signature of another statement',
        ({ jws, ...statement }) => {
          const [head, , signature] = (jws as string).split('.');
          const other = { ...statement, name: 'other' };
          return { ...other, jws: `${head}.${payloadOf(other)}.${signature}` };
        },
      ],
      [
        'no signature at all',
        ({ jws: _, ...statement }) => {
          const head = Buffer.from('{"alg":"none"}').toString('base64url');
          return { ...statement, jws: `${head}.${payloadOf(statement)}.` };
        },
      ],
    ])('refuses %s', async (_, change) => {
      tamper(change);
      const { code, failed } = await verify(checkout, id);
      expect(code).toBe(1);
      expect(failed.map(({ check }) => check)).toContain('signature');
    });

    it('refuses a key that is not among those that were pinned', async () => {
      const keys = `${checkout.folder}.keys.json`;
      await writeFile(keys, '{"keys":[]}');
      const { code, failed } = await verify(checkout, id, '--keys', keys);
      expect({ code, failed }).toMatchObject({ code: 1, failed: [{ check: 'signature' }] });
    });

    it("refuses another review's receipt, although it is signed", async () => {
      const other = await checkout.propose('feature/6-other', { 'README.md': 'y\n' });
      await land(checkout, other, squash(checkout, 'feature/6-other'));
      const { body } = await stand.service.send('alice', `GET /v1/reviews/${other}/merge-receipt`);
      tamper(() => body as Receipt);
      const { code, stdout } = await checkout.plat(['review', 'verify', id]);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        code: 'NOT_THE_PLATFORM',
        message: expect.stringContaining('about another reviewId') as unknown,
      });
    });
  });
});
