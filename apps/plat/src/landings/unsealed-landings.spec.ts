import { checkLandings, landingStands } from '../black-box/checked-landings';
import type { LandingStand } from '../black-box/landing-stand';

describe('plat ledger check, of receipts that are not sealed', () => {
  const setUp = landingStands();

  describe('a landing whose receipt is not sealed yet', () => {
    const REVIEW = '0198f2a4-1234-7c3e-9d0b-5b1f0c9a2e11';
    /** A sealed landing, and then one whose receipt is only made. */
    async function withUnsealed(facts: { secondsAgo: number; contentVerdict?: string; commitId?: string }) {
      const stand = await setUp();
      await stand.squash('First');
      const commitId = await stand.squash('Second', { sealed: false });
      const { platform } = stand.signedIn;
      platform.answer('GET /v1/reviews', {
        body: [{ reviewId: REVIEW, name: 'Second', status: 'MERGED', targetBranch: 'main' }],
      });
      const verifiedAt = new Date(Date.now() - facts.secondsAgo * 1000).toISOString();
      const { contentVerdict = 'EXACT' } = facts;
      platform.answer(`GET /v1/reviews/${REVIEW}/merge-receipt`, {
        body: { reviewId: REVIEW, commitId, verifiedAt, contentVerdict, ...facts },
      });
      return stand;
    }

    it('is PENDING for two minutes, which is sound', async () => {
      const { code, check, verdicts } = await checkLandings(await withUnsealed({ secondsAgo: 30 }));
      expect(verdicts).toEqual(['PENDING Second', 'LANDED First']);
      expect(check).toMatchObject({ sound: true, counts: { PENDING: 1, NO_RECEIPT: 0 } });
      expect(code).toBe(0);
    });

    it.each([
      ['after that', { secondsAgo: 130 }],
      ['of a later day', { secondsAgo: -86_400 }],
      ['if the receipt names another commit', { secondsAgo: 30, commitId: 'c'.repeat(40) }],
      ['if its content is DIVERGENT', { secondsAgo: 30, contentVerdict: 'DIVERGENT' }],
    ])('is NO_RECEIPT %s', async (_, facts) => {
      const { code, verdicts } = await checkLandings(await withUnsealed(facts));
      expect(verdicts).toEqual(['NO_RECEIPT Second', 'LANDED First']);
      expect(code).toBe(1);
    });

    it('is NO_RECEIPT below a landing that is sealed, since entries are sealed in their order', async () => {
      const stand = await withUnsealed({ secondsAgo: 30 });
      await stand.squash('Third');
      const { code, verdicts } = await checkLandings(stand);
      expect(verdicts).toEqual(['LANDED Third', 'NO_RECEIPT Second', 'LANDED First']);
      expect(code).toBe(1);
    });
  });

  describe('before the first landing of the branch is sealed', () => {
    const REVIEW_ID = '01a0b2c3-d4e5-7f60-8a1b-2c3d4e5f6071';
    const NONE = { status: 404, body: { code: 'NOT_FOUND', message: 'Nothing is sealed yet.' } };

    /** A landing, a push past the queue before it if asked, and no receipt of them in the log. */
    async function withFirst({ secondsAgo }: { secondsAgo: number }): Promise<LandingStand> {
      const stand = await setUp();
      const commitId = await stand.squash('First', { sealed: false });
      const { platform } = stand.signedIn;
      platform.answer('GET /v1/reviews', {
        body: [{ reviewId: REVIEW_ID, name: 'First', status: 'MERGED', targetBranch: 'main' }],
      });
      const verifiedAt = new Date(Date.now() - secondsAgo * 1000).toISOString();
      platform.answer(`GET /v1/reviews/${REVIEW_ID}/merge-receipt`, {
        body: { reviewId: REVIEW_ID, commitId, verifiedAt, contentVerdict: 'EXACT' },
      });
      return stand;
    }
    function withoutLog({ log, signedIn: { platform } }: LandingStand): void {
      platform.answer('GET /v1/audit-log/keys', NONE);
      platform.answer('GET /v1/audit-log/checkpoint', NONE);
      platform.answer('GET /v1/whoami', { body: { tenantId: log.tenantId } });
    }

    it('is PENDING for two minutes, whether the log has other entries or none at all', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      stand.log.addLanding({ name: 'Of another repository' });
      const expected = { code: 0, verdicts: ['PENDING First'] };
      expect(await checkLandings(stand)).toMatchObject({
        ...expected,
        check: { sound: true, commitsBefore: 1 },
      });
      const fresh = await withFirst({ secondsAgo: 30 });
      withoutLog(fresh);
      const { stderr, ...found } = await checkLandings(fresh);
      expect(found).toMatchObject({ ...expected, check: { sound: true, log: { size: 0 } } });
      expect(stderr).toContain('with a log of which no entry is sealed yet: 1 PENDING.');
    });

    it('does not excuse a push past the queue that came after it', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      withoutLog(stand);
      await stand.checkout.commit({ 'hotfix.txt': 'hotfix\n' }, 'Hotfix');
      await stand.push();
      const { code, verdicts } = await checkLandings(stand);
      expect(verdicts).toEqual(['BYPASS Hotfix', 'PENDING First']);
      expect(code).toBe(1);
    });
  });
});
