import { checkLandings, landingStands } from '../black-box/checked-landings';
import type { LandingStand } from '../black-box/landing-stand';
import { makeWaitingOlder } from '../black-box/older-waiting';

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

    it('is NO_RECEIPT once this client saw it waiting long ago, however new the platform says that it is', async () => {
      const stand = await withUnsealed({ secondsAgo: 30 });
      expect((await checkLandings(stand)).verdicts).toEqual(['PENDING Second', 'LANDED First']);
      expect((await checkLandings(stand)).verdicts).toEqual(['PENDING Second', 'LANDED First']);
      await makeWaitingOlder(stand.signedIn.machine.configFolder, 5 * 60_000);
      const { code, check, verdicts } = await checkLandings(stand);
      expect(verdicts).toEqual(['NO_RECEIPT Second', 'LANDED First']);
      expect(check.rows[0]!.detail).toContain('waited for its seal when this client looked 5 minutes ago');
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

    it('is nothing to compare with after that', async () => {
      const stand = await withFirst({ secondsAgo: 130 });
      withoutLog(stand);
      const { code, check } = await checkLandings(stand);
      expect(check).toMatchObject({ code: 'NOTHING_SEALED' });
      expect(code).toBe(1);
    });

    it('cannot come again: a platform that shows no log where one was remembered contradicts itself', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      stand.log.addLanding({ name: 'Of another repository' });
      await checkLandings(stand);
      withoutLog(stand);
      const { code, check } = await checkLandings(stand);
      expect(check).toMatchObject({ code: 'LOG_CONTRADICTS', details: { origin: stand.log.origin } });
      expect(code).toBe(3);
    });
  });
});
