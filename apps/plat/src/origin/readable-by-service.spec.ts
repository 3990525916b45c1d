import { ApiClient } from '@plat/api-client';
import { type Answer, PlatformDouble } from '../black-box/platform-double';
import { requireReadableByService, unreadableWarning } from './readable-by-service';

const REPOSITORY = 'https://git.example/acme/app';
const REVIEW_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

describe('what the platform says about a repository', () => {
  let platform: PlatformDouble;
  beforeEach(async () => (platform = await PlatformDouble.start()));
  afterEach(() => platform.close());

  const api = () => new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
  const answer = (given: Answer) => platform.answer('POST /v1/reviews/merge-queue/check', given);
  const required = (branch = 'main') => requireReadableByService({ api: api() }, REPOSITORY, branch);

  it('lets a drive begin if it can be read', async () => {
    answer({ body: { readable: true } });
    await expect(required()).resolves.toBeUndefined();
  });

  it('lets a drive begin with a platform that does not know the question', async () => {
    await expect(required()).resolves.toBeUndefined();
  });

  it.each(['remote_unreadable', 'remote_refused', 'remote_too_large'])(
    'refuses a drive for %s, and names the review in the slot with the commands that end it',
    async (reason) => {
      answer({ body: { readable: false, reason } });
      platform.answer('GET /v1/reviews', { body: [{ reviewId: REVIEW_ID, status: 'MERGE' }] });
      await expect(required('odd;name')).rejects.toMatchObject({
        code: 'REPOSITORY_UNREADABLE',
        details: { reason },
        next: expect.stringContaining(
          `'odd;name' --give-up; if its merge has been pushed: plat review requeue ${REVIEW_ID} && plat review close ${REVIEW_ID}`,
        ),
      });
    },
  );

  it('refuses a drive onto a branch that the platform does not see', async () => {
    answer({ body: { readable: false, reason: 'branch_missing' } });
    platform.answer('GET /v1/reviews', { body: [] });
    await expect(required()).rejects.toMatchObject({ code: 'NO_SUCH_TARGET' });
  });

  it('stops a drive if the platform cannot answer now', async () => {
    answer({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } });
    await expect(required()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('only warns a person who proposes, and never fails for it', async () => {
    const branch = { repository: REPOSITORY, targetBranch: 'main' };
    answer({ body: { readable: false, reason: 'remote_unreadable' } });
    expect(await unreadableWarning(api(), branch)).toContain(`cannot read ${REPOSITORY}`);
    answer({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } });
    expect(await unreadableWarning(api(), branch)).toBeUndefined();
  });
});
