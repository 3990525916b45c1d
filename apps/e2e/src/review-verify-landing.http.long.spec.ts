import { access } from 'node:fs/promises';
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

  it('confirms outside of a checkout only if a flag names the repository', async () => {
    const checkout = await stand.repository('outside');
    const id = await checkout.propose('feature/10-outside', { 'README.md': 'outside\n' });
    await land(checkout, id, squash(checkout, 'feature/10-outside'));
    const verifyOutside = async (...flags: string[]) => {
      const { code, stdout } = await waitForExit(
        stand.start(['review', 'verify', 'feature/10-outside', '--json', ...flags], stand.home),
      );
      const { outcome, findings } = JSON.parse(stdout) as Verification;
      const open = findings.filter(({ result }) => result === 'failed' || result === 'undecided');
      return { code, outcome, open: open.map(({ check }) => check) };
    };
    expect(await verifyOutside()).toEqual({ code: 1, outcome: 'NOT_CONFIRMED', open: ['repository'] });
    const confirmed = { code: 0, outcome: 'CONFIRMED', open: [] };
    expect(await verifyOutside('--repository', checkout.remote)).toEqual(confirmed);
    expect(await verifyOutside('--remote-url', checkout.remote, '--target-branch', 'main')).toEqual(
      confirmed,
    );
    const refuted = { code: 1, outcome: 'REFUTED' };
    expect(await verifyOutside('--remote-url', `${checkout.remote}x`)).toMatchObject(refuted);
    expect(await verifyOutside('--repository', checkout.remote, '--target-branch', 'x')).toMatchObject(
      refuted,
    );
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

    it.each([
      ['sourceTip', (file: string) => `--upload-pack=touch ${file}; git-upload-pack`],
      ['commitId', (file: string) => `--output=${file}`],
    ])('runs no program and writes no file if %s holds an option of git', async (field, option) => {
      const file = `${checkout.folder}.${field}.written`;
      tamper((receipt) => ({ ...receipt, [field]: option(file) }));
      const { code, stdout } = await checkout.plat(['review', 'verify', id]);
      await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' });
      expect({ code, stdout }).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('RECEIPT_NOT_READABLE') as unknown,
      });
    });

    describe('that answers with a landing which the person did not name', () => {
      const branch = 'feature/11-back-door';
      let other: Checkout;
      beforeAll(async () => {
        await checkout.git('switch', '--quiet', '--create', branch, 'main');
        await checkout.commit({ door: 'open\n' }, 'Back door');
        await checkout.git('push', '--quiet', 'origin', branch);
        await checkout.git('switch', '--quiet', 'main');
        other = await stand.repository('not-landed');
      });

      /** Answers each list of reviews with the review that landed, in words that fit the question. */
      async function listInstead(change: object): Promise<void> {
        const { body } = await stand.service.send('alice', `GET /v1/reviews/${id}`);
        const listed = [{ ...(body as object), ...change }] as unknown as Record<string, unknown>;
        stand.proxy.changeAnswers(/^GET \/v1\/reviews(?:\?|$)/, () => listed);
      }

      const refusal = async (from: Checkout, ...args: string[]) => {
        const { code, outcome, failed } = await verify(from, ...args);
        return { code, outcome, failed: failed.map((finding) => [finding.check, finding.code]) };
      };

      it('of another branch, if the branch is named and the repository is pinned', async () => {
        await listInstead({ sourceBranch: branch });
        expect(await refusal(checkout, branch, '--remote-url', checkout.remote)).toEqual({
          ...{ code: 1, outcome: 'REFUTED', failed: [['review', 'RECEIPT_OF_ANOTHER_REVIEW']] },
        });
      });

      it('of another branch, if the branch that is checked out names the review', async () => {
        await listInstead({ sourceBranch: branch, status: 'OPEN' });
        await checkout.git('switch', '--quiet', branch);
        expect(await refusal(checkout)).toEqual({
          ...{ code: 1, outcome: 'REFUTED', failed: [['review', 'RECEIPT_OF_ANOTHER_REVIEW']] },
        });
        await checkout.git('switch', '--quiet', 'main');
      });

      it("of another repository than the checkout's, by branch and by id", async () => {
        await listInstead({ repository: other.remote });
        for (const name of ['feature/5-tampered', id]) {
          expect(await refusal(other, name)).toEqual({
            ...{ code: 1, outcome: 'REFUTED', failed: [['repository', 'RECEIPT_OF_ANOTHER_REPOSITORY']] },
          });
        }
      });
    });
  });
});
