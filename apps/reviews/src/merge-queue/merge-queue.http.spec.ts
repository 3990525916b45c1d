import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { ReviewScene, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

const remote = (): string => `https://git.example/acme/${randomUUID()}`;

/** A second scene on the scene's target branch, with another repository or with none. */
function onSameTarget(scene: ReviewScene, repository: string | null = remote()): ReviewScene {
  return new ReviewScene(service, repository, scene.targetBranch);
}

describe('GET /v1/reviews/merge-queue', () => {
  describe('200', () => {
    it('an empty queue is an empty list', async () => {
      const { targetBranch } = new ReviewScene(service);
      const answer = await service.send('alice', `GET /v1/reviews/merge-queue?targetBranch=${targetBranch}`);
      expect(answer).toMatchObject({ status: 200, body: [] });
    });

    it('all READY reviews wait in one first-in-first-out line; a promoted one has left it', async () => {
      const scene = new ReviewScene(service);
      await scene.green();
      const waiting = [await scene.green(), await scene.green(), await scene.green()];
      expect(await scene.line()).toEqual(waiting);
    });

    it('the place in the line is taken on becoming READY, not on being created', async () => {
      const scene = new ReviewScene(service);
      await scene.green();
      const [early, late] = [await scene.open(), await scene.open()];
      await scene.build(late);
      await scene.build(early);
      expect(await scene.line()).toEqual([late, early]);
    });

    it('lists every queue by target branch if no filter is given, and ignores an empty filter', async () => {
      const scenes = ['b', 'a', 'c'].map(
        (name) => new ReviewScene(service, remote(), `${name}/${randomUUID()}`),
      );
      const ids: string[] = [];
      for (const scene of scenes) ids.push(await scene.openWaiting());
      const answer = await service.send('alice', 'GET /v1/reviews/merge-queue?repository=&targetBranch=');
      const listed = (answer.body as { reviewId: string }[]).map(({ reviewId }) => reviewId);
      expect(listed.filter((id) => ids.includes(id))).toEqual([ids[1], ids[0], ids[2]]);
    });

    it('filters by repository, canonicalized as the service does; reviews without one are not in it', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      await onSameTarget(scene, null).openWaiting();
      await onSameTarget(scene).openWaiting();
      const ssh = scene.repository!.replace('https://git.example/', 'git@git.example:');
      const answer = await service.send(
        'alice',
        `GET /v1/reviews/merge-queue?repository=${encodeURIComponent(`${ssh}.git`)}`,
      );
      expect((answer.body as { reviewId: string }[]).map(({ reviewId }) => reviewId)).toEqual([id]);
    });

    it("another tenant's queue is never seen", async () => {
      const scene = new ReviewScene(service);
      await scene.openWaiting();
      const answer = await service.send('mallory', 'GET /v1/reviews/merge-queue');
      expect(answer).toMatchObject({ status: 200, body: [] });
    });

    it('a caller of the operations tenant reads across tenants', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const answer = await service.send(
        'olga',
        `GET /v1/reviews/merge-queue?targetBranch=${scene.targetBranch}`,
      );
      expect(answer.body).toEqual([await scene.review(id)]);
    });
  });

  describe('400', () => {
    it.each(['targetBranch=%00', 'targetBranch=a&targetBranch=b', `targetBranch=${'x'.repeat(256)}`])(
      '%.30s is INVALID_QUERY with the parameter',
      async (query) => {
        const answer = await service.send('alice', `GET /v1/reviews/merge-queue?${query}`);
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'INVALID_QUERY', details: { field: 'targetBranch' } },
        });
      },
    );

    it('an invalid repository is INVALID_REPOSITORY', async () => {
      const answer = await service.send('alice', 'GET /v1/reviews/merge-queue?repository=acme/app');
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REPOSITORY' } });
    });
  });

  describe('403', () => {
    it('a caller without any role is not allowed', async () => {
      expect((await service.send('dave', 'GET /v1/reviews/merge-queue')).status).toBe(403);
    });
  });
});

describe('POST /v1/reviews/merge-queue/advance', () => {
  describe('200', () => {
    it('the response is the promoted review, now at MERGE', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const answer = await scene.advance();
      expect(answer).toMatchObject({ status: 200, body: { reviewId: id, status: 'MERGE' } });
      expect(answer.body).toEqual(await scene.review(id));
    });

    it('promotes the one that waits longest', async () => {
      const scene = new ReviewScene(service);
      const first = await scene.openWaiting();
      await scene.openWaiting();
      expect((await scene.advance()).body.reviewId).toBe(first);
    });

    it('names the repository by any of its forms', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const ssh = scene.repository!.replace('https://', 'ssh://git@');
      expect((await scene.advance({ repository: `${ssh}.git/` })).body.reviewId).toBe(id);
    });

    it('one named repository and rows without one form one queue, whose head is promoted', async () => {
      const scene = new ReviewScene(service);
      const unrecorded = await onSameTarget(scene, null).openWaiting();
      await scene.openWaiting();
      expect((await scene.advance({ repository: undefined })).body.reviewId).toBe(unrecorded);
    });

    it('a row of the named repository is promoted if it is the head of that queue', async () => {
      const scene = new ReviewScene(service);
      const named = await scene.openWaiting();
      await onSameTarget(scene, null).openWaiting();
      expect((await scene.advance({ repository: undefined })).body.reviewId).toBe(named);
    });

    it('rows without a repository form a queue, of which the one that waits longest is promoted', async () => {
      const scene = new ReviewScene(service, null);
      const [first] = [await scene.openWaiting(), await scene.openWaiting()];
      expect((await scene.advance()).body.reviewId).toBe(first);
    });

    it("naming a repository promotes that repository's own head and never reaches rows that record none", async () => {
      const scene = new ReviewScene(service);
      await onSameTarget(scene, null).openWaiting();
      const named = await scene.openWaiting();
      expect((await scene.advance()).body.reviewId).toBe(named);
    });

    it('naming a repository promotes into its own slot, although a row that records none is at MERGE', async () => {
      const scene = new ReviewScene(service);
      const unrecorded = await onSameTarget(scene, null).green();
      const id = await scene.openWaiting();
      expect((await scene.advance()).body).toMatchObject({ reviewId: id, status: 'MERGE' });
      expect(await scene.status(unrecorded)).toBe('MERGE');
    });

    it('repositories on one branch have a slot each', async () => {
      const scene = new ReviewScene(service);
      await scene.green();
      const other = onSameTarget(scene);
      const id = await other.openWaiting();
      expect((await other.advance()).body).toMatchObject({ reviewId: id, status: 'MERGE' });
    });

    it('a closed thread and a reply do not hold the head', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const thread = await scene.comment(id);
      await scene.comment(id, thread);
      await scene.resolve(thread);
      expect((await scene.advance()).status).toBe(200);
    });

    it('a tenant may grant advance without granting override-advance', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      expect((await scene.advance({}, 'carol')).body.reviewId).toBe(id);
    });

    it('unknown body fields are ignored', async () => {
      const scene = new ReviewScene(service);
      await scene.openWaiting();
      expect((await scene.advance({ reason: 7, status: 'MERGED' })).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each([
      ['empty', ''],
      ['blank', '  '],
      ['absent', undefined],
      ['null', null],
      ['no branch name', 'a..b'],
    ])('a targetBranch that is %s is INVALID_TARGET_BRANCH', async (_, targetBranch) => {
      const answer = await new ReviewScene(service).advance({ targetBranch });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_TARGET_BRANCH' } });
    });

    it.each(['', ' ', 'https://git.example', 'acme/app', '../app', '/'])(
      'an invalid repository (%j) is INVALID_REPOSITORY',
      async (repository) => {
        const answer = await new ReviewScene(service).advance({ repository });
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REPOSITORY' } });
      },
    );

    it('a body that is no JSON object is INVALID_BODY', async () => {
      const answer = await service.send('alice', 'POST /v1/reviews/merge-queue/advance', ['main']);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } });
    });
  });

  describe('403', () => {
    it('an agent may not advance the queue', async () => {
      expect((await new ReviewScene(service).advance({}, 'ci')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it('an empty queue is EMPTY_QUEUE, without details', async () => {
      const { status, body } = await new ReviewScene(service).advance();
      expect({ status, keys: Object.keys(body).sort(), code: body.code }).toEqual({
        status: 404,
        keys: ['code', 'message'],
        code: 'EMPTY_QUEUE',
      });
    });

    it('naming a repository whose reviews do not wait is EMPTY_QUEUE although rows without one do', async () => {
      const scene = new ReviewScene(service);
      await onSameTarget(scene, null).openWaiting();
      expect((await scene.advance()).body.code).toBe('EMPTY_QUEUE');
    });

    it("another tenant's queue is empty to the caller", async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      expect((await scene.advance({}, 'mallory')).body.code).toBe('EMPTY_QUEUE');
      expect(await scene.status(id)).toBe('READY');
    });

    it('a caller of the operations tenant reads across, but promotes in its own tenant only', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      expect((await scene.advance({}, 'olga')).body.code).toBe('EMPTY_QUEUE');
      expect(await scene.status(id)).toBe('READY');
    });
  });

  describe('409', () => {
    it('a second promotion is MERGE_QUEUE_OCCUPIED and names the occupying review', async () => {
      const scene = new ReviewScene(service);
      const occupant = await scene.review(await scene.green());
      await scene.green();
      const { status, body } = await scene.advance();
      expect({ status, code: body.code, details: body.details }).toEqual({
        status: 409,
        code: 'MERGE_QUEUE_OCCUPIED',
        details: {
          targetBranch: scene.targetBranch,
          reviewId: occupant.reviewId,
          name: occupant.name,
          sourceBranch: occupant.sourceBranch,
        },
      });
    });

    it.each(['with', 'without'])('an empty queue may be occupied, %s a named repository', async (how) => {
      const scene = new ReviewScene(service);
      await scene.green();
      const answer = await scene.advance(how === 'with' ? {} : { repository: undefined });
      expect(answer.body.code).toBe('MERGE_QUEUE_OCCUPIED');
    });

    it('one named repository and rows without one share one slot when none is named', async () => {
      const scene = new ReviewScene(service);
      await onSameTarget(scene, null).green();
      await scene.openWaiting();
      expect((await scene.advance({ repository: undefined })).body.code).toBe('MERGE_QUEUE_OCCUPIED');
    });

    it('READY reviews of several named repositories are MERGE_QUEUE_AMBIGUOUS until one is named', async () => {
      const scene = new ReviewScene(service);
      const other = onSameTarget(scene);
      const [id] = [await scene.openWaiting(), await other.openWaiting()];
      const { status, body } = await scene.advance({ repository: undefined });
      expect({ status, code: body.code, details: body.details }).toEqual({
        status: 409,
        code: 'MERGE_QUEUE_AMBIGUOUS',
        details: {
          targetBranch: scene.targetBranch,
          repositories: [scene.repository, other.repository].sort(),
          unrecordedRepositoryReviewIds: [],
        },
      });
      expect((await scene.advance()).body.reviewId).toBe(id);
    });

    it('details.unrecordedRepositoryReviewIds lists waiting rows without a repository, in queue order', async () => {
      const scene = new ReviewScene(service);
      const unrecorded = onSameTarget(scene, null);
      for (const status of ['OPEN', 'FAILED', 'CLOSED'] as const) await unrecorded.reach(status);
      const ids = [await unrecorded.openWaiting(), await unrecorded.openWaiting()];
      await scene.openWaiting();
      await onSameTarget(scene).openWaiting();
      const { body } = await scene.advance({ repository: undefined });
      expect(body.details.unrecordedRepositoryReviewIds).toEqual(ids);
    });

    it('several named repositories are MERGE_QUEUE_AMBIGUOUS even if their slots are taken', async () => {
      const scene = new ReviewScene(service);
      const other = onSameTarget(scene);
      await scene.green();
      await other.green();
      await scene.openWaiting();
      await other.openWaiting();
      expect((await scene.advance({ repository: undefined })).body.code).toBe('MERGE_QUEUE_AMBIGUOUS');
    });

    it.each(['OPEN', 'MERGE'] as const)(
      'a repository without READY reviews, with one at %s, makes no queue ambiguous and blocks no other slot',
      async (status) => {
        const scene = new ReviewScene(service);
        const other = await onSameTarget(scene).reach(status);
        const id = await scene.openWaiting();
        expect(await scene.status(other)).toBe(status);
        expect((await scene.advance({ repository: undefined })).body.reviewId).toBe(id);
      },
    );

    it('an OPEN thread of the head is refused with a body that has `error` instead of `code`', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const threads = [await scene.comment(id), await scene.comment(id)];
      await scene.comment(id, threads[0]);
      const { status, body } = await scene.advance();
      expect({ status, body }).toEqual({
        status: 409,
        body: {
          error: 'unresolved_threads',
          message: expect.any(String) as unknown,
          reviewId: id,
          unresolvedThreads: 2,
        },
      });
    });

    it('one OPEN thread is enough', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      await scene.comment(id);
      expect(await scene.advance()).toMatchObject({
        status: 409,
        body: { error: 'unresolved_threads', reviewId: id, unresolvedThreads: 1 },
      });
    });

    it('a blocked head is not skipped', async () => {
      const scene = new ReviewScene(service);
      const blocked = await scene.openWaiting();
      const behind = await scene.openWaiting();
      await scene.comment(blocked);
      expect((await scene.advance()).body.reviewId).toBe(blocked);
      expect(await scene.status(behind)).toBe('READY');
    });

    it('a refused advance changes nothing', async () => {
      const scene = new ReviewScene(service);
      const before = await scene.review(await scene.green());
      const waiting = await scene.review(await scene.green());
      await scene.advance();
      expect(await scene.review(before.reviewId as string)).toEqual(before);
      expect(await scene.review(waiting.reviewId as string)).toEqual(waiting);
    });
  });
});

describe('POST /v1/reviews/merge-queue/override-advance', () => {
  describe('200', () => {
    it('skips the check of comment threads', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      await scene.comment(id);
      expect(await scene.overrideAdvance()).toMatchObject({
        status: 200,
        body: { reviewId: id, status: 'MERGE' },
      });
    });

    it('the reason and the caller are recorded in the audit trail', async () => {
      const scene = new ReviewScene(service);
      await scene.openWaiting();
      const reason = `hotfix ${randomUUID()}`;
      await scene.overrideAdvance({ reason });
      const rows = await service.database.query(
        `SELECT u.username, e.type, e.api_method, e.api_path FROM audit.audit_events e
           JOIN identity.users u ON u.user_id = e.erun_user_id WHERE e.api_parameters = $1`,
        [JSON.stringify({ reason })],
      );
      expect(rows).toEqual([
        {
          username: 'alice',
          type: 'API',
          api_method: 'POST',
          api_path: '/v1/reviews/merge-queue/override-advance',
        },
      ]);
    });
  });

  describe('400', () => {
    it.each([
      ['missing', undefined],
      ['null', null],
      ['empty', ''],
      ['blank', ' \n\t '],
      ['not text', 5],
    ])('a reason that is %s is INVALID_BODY with the field', async (_, reason) => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const answer = await scene.overrideAdvance({ reason });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'reason' } },
      });
      expect(await scene.status(id)).toBe('READY');
    });

    it('an empty targetBranch is INVALID_TARGET_BRANCH', async () => {
      const answer = await new ReviewScene(service).overrideAdvance({ targetBranch: '' });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_TARGET_BRANCH' } });
    });

    it('a reason over 16 KiB is INVALID_BODY', async () => {
      const answer = await new ReviewScene(service).overrideAdvance({ reason: 'x'.repeat(16 * 1024 + 1) });
      expect(answer).toMatchObject({ status: 400, body: { details: { field: 'reason' } } });
    });
  });

  describe('403', () => {
    it('the permission to advance does not permit the override', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      expect((await scene.overrideAdvance({}, 'carol')).body.code).toBe('FORBIDDEN');
      expect(await scene.status(id)).toBe('READY');
    });
  });

  describe('404', () => {
    it('an empty queue is EMPTY_QUEUE', async () => {
      expect((await new ReviewScene(service).overrideAdvance()).body.code).toBe('EMPTY_QUEUE');
    });
  });

  describe('409', () => {
    it('MERGE_QUEUE_OCCUPIED is not bypassed', async () => {
      const scene = new ReviewScene(service);
      await scene.green();
      await scene.green();
      expect((await scene.overrideAdvance()).body.code).toBe('MERGE_QUEUE_OCCUPIED');
    });

    it('MERGE_QUEUE_AMBIGUOUS is not bypassed', async () => {
      const scene = new ReviewScene(service);
      await scene.openWaiting();
      await onSameTarget(scene).openWaiting();
      expect((await scene.overrideAdvance({ repository: undefined })).body.code).toBe(
        'MERGE_QUEUE_AMBIGUOUS',
      );
    });
  });
});
