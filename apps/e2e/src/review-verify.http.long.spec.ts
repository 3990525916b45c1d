import { writeFile } from 'node:fs/promises';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

interface Verification {
  confirmed: boolean;
  receipt: Record<string, unknown>;
  findings: { check: string; result: string; detail: string; next?: string }[];
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

  it('confirms a merge with pinned keys after the target branch has moved on', async () => {
    const checkout = await stand.repository('moved-on');
    const id = await checkout.propose('feature/2-moved', { 'README.md': 'moved\n' });
    await land(checkout, id, squash(checkout, 'feature/2-moved'));
    await checkout.commit({ later: 'later\n' }, 'Later');
    await checkout.git('push', '--quiet', 'origin', 'main');
    const keys = `${checkout.folder}.keys.json`;
    await writeFile(keys, await (await fetch(`${stand.service.url}/v1/merge-receipt-keys`)).text());
    expect(await verify(checkout, id, '--keys', keys)).toMatchObject({ code: 0, confirmed: true });
  });

  it('checks the content of a change of 40 MB itself if the service has no verdict', async () => {
    const checkout = await stand.repository('large');
    const line = (at: number) => `${at} ${'x'.repeat(60)}\n`;
    const large = Array.from({ length: 600_000 }, (_, at) => line(at)).join('');
    const id = await checkout.propose('feature/7-large', { 'large.txt': large });
    await land(checkout, id, squash(checkout, 'feature/7-large'));
    const { code, confirmed, receipt, findings } = await verify(checkout, id);
    expect(receipt.contentVerdict).toBe('UNKNOWN');
    expect(findings.at(-1)).toMatchObject({
      check: 'content',
      result: 'ok',
      detail: expect.stringContaining('EXACT') as unknown,
    });
    expect({ code, confirmed }).toEqual({ code: 0, confirmed: true });
  });

  it('reports a check that it cannot decide as undecided, and exits with 1', async () => {
    const checkout = await stand.repository('by-hand');
    const id = await checkout.propose('feature/8-by-hand', { 'README.md': 'mine\n' });
    await checkout.commit({ 'README.md': 'theirs\n' }, 'Theirs');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await land(checkout, id, () => checkout.commit({ 'README.md': 'mine and theirs\n' }, 'Decided by hand'));
    expect(await verify(checkout, id)).toMatchObject({
      code: 1,
      confirmed: false,
      outcome: 'NOT_CONFIRMED',
      failed: [],
      receipt: { contentVerdict: 'BY_HAND', contentReason: 'conflict_resolved' },
      findings: expect.arrayContaining([
        expect.objectContaining({
          ...{ check: 'content', result: 'undecided', next: `look at each place: plat review show ${id}` },
          detail: expect.stringContaining(
            'git finds BY_HAND: a person decided conflicts, in README.md:1',
          ) as unknown,
        }),
      ]) as unknown,
    });
    // The source branch and its tip in the receipt are gone, so nothing is left to compare with.
    stand.proxy.changeAnswers(/merge-receipt$/, (receipt) => receipt);
    const gone = await stand.repository('gone');
    const other = await gone.propose('feature/9-gone', { 'large.txt': 'x\n' });
    await land(gone, other, squash(gone, 'feature/9-gone'));
    await gone.git('push', '--quiet', 'origin', ':feature/9-gone');
    stand.proxy.changeAnswers(/merge-receipt$/, ({ sourceTip: _gone, ...receipt }) => receipt);
    const { code, confirmed } = await verify(gone, other);
    stand.proxy.changeAnswers(/^never$/, (receipt) => receipt);
    expect({ code, confirmed }).toEqual({ code: 1, confirmed: false });
  });

  it('reports a target branch that was rewritten after the merge', async () => {
    const checkout = await stand.repository('rewritten');
    const id = await checkout.propose('feature/4-rewritten', { 'README.md': 'x\n' });
    await land(checkout, id, squash(checkout, 'feature/4-rewritten'));
    await checkout.git('push', '--quiet', '--force', 'origin', 'main~1:main');
    const { code, failed } = await verify(checkout, id);
    expect(code).toBe(1);
    expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining(['target tip']));
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
