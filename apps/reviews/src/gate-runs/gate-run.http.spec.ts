import { randomUUID } from 'node:crypto';
import { GATE_RUN_DECISIONS } from '@plat/contracts/core';
import {
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  TEST_TENANTS,
  TEST_USERS,
  type TestAnswer,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService);
});
afterAll(() => service.stop());

const MERGE_COMMIT = 'b'.repeat(40);
const RUN = {
  sourceBranch: 'feature/42-rate-limits',
  targetBranch: 'main',
  sourceCommit: SOME_COMMIT,
  mergeCommit: MERGE_COMMIT,
};

const start = (body: object = {}, by: TestUser = 'ci'): Promise<TestAnswer> =>
  service.send(by, 'POST /v1/gate-runs', { ...RUN, ...body });
const startOne = async (body: object = {}): Promise<string> => (await start(body)).body.gateRunId as string;
const decide = (gateRunId: string, body: object, by: TestUser = 'ci'): Promise<TestAnswer> =>
  service.send(by, `PATCH /v1/gate-runs/${gateRunId}`, body);
const show = (gateRunId: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `GET /v1/gate-runs/${gateRunId}`);
const list = (query: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `GET /v1/gate-runs?${query}`);
const idsOf = ({ body }: TestAnswer): string[] =>
  (body as { gateRuns: { gateRunId: string }[] }).gateRuns.map(({ gateRunId }) => gateRunId);

const invalid = (field: string): object => ({
  status: 400,
  body: { code: 'INVALID_BODY', details: { field } },
});

describe('POST /v1/gate-runs', () => {
  describe('201', () => {
    it('makes a gate attempt visible, with or without a review, by default as RUNNING', async () => {
      const { status, body } = await start({ logRef: 'https://ci.example/1' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          gateRunId: expect.any(String) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          ...RUN,
          verdict: 'RUNNING',
          logRef: 'https://ci.example/1',
          creatorUserId: TEST_USERS.ci.userId,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        },
      });
    });

    it('reviewName is given with reviewId', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const { name } = await scene.review(reviewId);
      expect(await start({ reviewId })).toMatchObject({ status: 201, body: { reviewId, reviewName: name } });
    });

    it.each(['PASSED', 'INCONCLUSIVE'])('a run can be reported %s at once', async (verdict) => {
      expect(await start({ verdict })).toMatchObject({ status: 201, body: { verdict } });
    });

    it('a FAILED entry names failingStep and, when available, logRef', async () => {
      const failed = { verdict: 'FAILED', failingStep: 'unit tests', logRef: 'logs/7.txt' };
      expect(await start(failed)).toMatchObject({ status: 201, body: failed });
    });

    it.each([
      ['FAILED', { failingStep: 'squash' }],
      ['INCONCLUSIVE', {}],
    ])('%s needs no mergeCommit', async (verdict, more) => {
      const { status, body } = await start({ verdict, mergeCommit: undefined, ...more });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('mergeCommit');
    });

    it.each([
      ['kept with INCONCLUSIVE', 'INCONCLUSIVE', 'e2e'],
      ['dropped with PASSED', 'PASSED', undefined],
      ['dropped with RUNNING', 'RUNNING', undefined],
    ])('a failingStep is %s', async (_, verdict, kept) => {
      expect((await start({ verdict, failingStep: 'e2e' })).body.failingStep).toBe(kept);
    });

    it('server-owned fields of the body are dropped', async () => {
      const claimed = { gateRunId: randomUUID(), tenantId: randomUUID(), reviewName: 'x' };
      const { body } = await start(claimed);
      expect(body.gateRunId).not.toBe(claimed.gateRunId);
      expect(body.tenantId).toBe(TEST_TENANTS.acme.tenantId);
      expect(body).not.toHaveProperty('reviewName');
    });

    it('a gate run never moves a review', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const before = await scene.review(reviewId);
      for (const verdict of GATE_RUN_DECISIONS) await start({ reviewId, verdict, failingStep: 'x' });
      await decide(await startOne({ reviewId }), { verdict: 'PASSED' });
      expect(await scene.review(reviewId)).toEqual(before);
    });
  });

  describe('400', () => {
    it.each(['sourceBranch', 'targetBranch', 'sourceCommit'])(
      'a missing %s is INVALID_BODY with the field',
      async (field) => {
        expect(await start({ [field]: undefined })).toMatchObject(invalid(field));
      },
    );

    it.each([
      ['sourceBranch', ' '],
      ['targetBranch', 'a..b'],
      ['targetBranch', 'x'.repeat(256)],
      ['reviewId', 'x'],
      ['verdict', 'passed'],
      ['verdict', ''],
      ['failingStep', ' '],
      ['logRef', 7],
    ])('%s being %j is INVALID_BODY with the field', async (field, value) => {
      expect(await start({ [field]: value })).toMatchObject(invalid(field));
    });

    it.each([undefined, 'RUNNING', 'PASSED'])(
      'mergeCommit is required unless FAILED or INCONCLUSIVE: for %s too',
      async (verdict) => {
        expect(await start({ verdict, mergeCommit: undefined })).toMatchObject(invalid('mergeCommit'));
      },
    );

    it('failingStep is required for FAILED', async () => {
      expect(await start({ verdict: 'FAILED' })).toMatchObject(invalid('failingStep'));
    });

    it.each(['sourceCommit', 'mergeCommit'])(
      'a %s that is not 40 lowercase hex characters is INVALID_COMMIT_ID',
      async (field) => {
        const answer = await start({ [field]: 'A'.repeat(40) });
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'INVALID_COMMIT_ID', details: { field } },
        });
      },
    );
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      expect((await start({}, 'carol')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it.each(['mallory', 'olga'] as const)(
      "another tenant's review is answered to %s exactly as one that exists nowhere",
      async (who) => {
        const reviewId = await new ReviewScene(service).open();
        const foreign = await start({ reviewId }, who);
        expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(foreign.body).toEqual((await start({ reviewId: randomUUID() }, who)).body);
      },
    );
  });

  describe('409', () => {
    const held = (answer: TestAnswer) => ({ status: answer.status, code: answer.body.code });

    it('a held run is refused while another one of the review is RUNNING, with its holder and start', async () => {
      const reviewId = await new ReviewScene(service).open();
      const first = await start({ reviewId, holder: 'ann@one:/app' });
      expect(first).toMatchObject({ status: 201, body: { holder: 'ann@one:/app' } });
      const { gateRunId, creatorUserId } = first.body as Record<string, string>;
      // Responses drop trailing zeros of a timestamp.
      const since = '2026-01-02T03:04:05.0607Z';
      await service.database.query('UPDATE reviews.gate_runs SET created_at = $2 WHERE gate_run_id = $1', [
        gateRunId,
        since,
      ]);
      expect((await show(gateRunId!)).body.createdAt).toBe(since);
      const second = await start({ reviewId, holder: 'bob@two:/app' }, 'alice');
      expect(second).toMatchObject({
        status: 409,
        body: {
          code: 'GATE_RUN_HELD',
          details: {
            gateRunId,
            holder: 'ann@one:/app',
            creatorUserId,
            mergeCommit: MERGE_COMMIT,
            since,
          },
        },
      });
      await decide(gateRunId!, { verdict: 'INCONCLUSIVE' });
      expect(await start({ reviewId, holder: 'bob@two:/app' })).toMatchObject({ status: 201 });
    });

    it('runs that are decided, name no holder, or belong to other reviews do not conflict', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      await start({ reviewId, holder: 'ann@one:/app' });
      for (const body of [
        { reviewId },
        { reviewId, holder: 'b', verdict: 'PASSED' },
        { holder: 'b' },
        { holder: 'c' },
      ]) {
        expect(held(await start(body))).toEqual({ status: 201 });
      }
      expect(held(await start({ reviewId: await scene.open(), holder: 'b' }))).toEqual({ status: 201 });
    });

    it('one of twenty simultaneous requests holds the run', async () => {
      const reviewId = await new ReviewScene(service).open();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => start({ reviewId, holder: `holder ${at}` })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'GATE_RUN_HELD']));
    });
  });
});

describe('PATCH /v1/gate-runs/{gate_run_id}', () => {
  describe('200', () => {
    it.each([
      ['PASSED', {}],
      ['FAILED', { failingStep: 'lint' }],
      ['INCONCLUSIVE', {}],
      ['INCONCLUSIVE', { failingStep: 'wrapper timeout' }],
    ])('RUNNING moves to %s', async (verdict, more) => {
      const { body: before } = await start({ logRef: 'logs/1.txt' });
      const answer = await decide(before.gateRunId as string, { verdict, ...more });
      const updatedAt = answer.body.updatedAt as string;
      expect(answer).toMatchObject({ status: 200, body: { ...before, verdict, ...more, updatedAt } });
      expect(updatedAt > before.updatedAt).toBe(true);
      expect((await show(before.gateRunId as string)).body).toEqual(answer.body);
    });

    it('takes a logRef, and changes nothing else of what was started', async () => {
      const { body: before } = await start();
      const { body } = await decide(before.gateRunId as string, {
        verdict: 'PASSED',
        failingStep: 'dropped',
        logRef: 'logs/2.txt',
        mergeCommit: 'c'.repeat(40),
        targetBranch: 'other',
      });
      expect(body).toEqual({ ...before, verdict: 'PASSED', logRef: 'logs/2.txt', updatedAt: body.updatedAt });
    });
  });

  describe('400', () => {
    it.each([undefined, null, 'RUNNING', 'passed', 7])(
      'a verdict that is %j is INVALID_BODY with the field',
      async (verdict) => {
        expect(await decide(await startOne(), { verdict })).toMatchObject(invalid('verdict'));
      },
    );

    it('failingStep is required for FAILED, and the run stays RUNNING', async () => {
      const gateRunId = await startOne();
      expect(await decide(gateRunId, { verdict: 'FAILED' })).toMatchObject(invalid('failingStep'));
      expect((await show(gateRunId)).body.verdict).toBe('RUNNING');
    });

    it('an id that is no UUID is INVALID_PATH_ID', async () => {
      const { status, body } = await decide('x', {});
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PATH_ID', details: { parameter: 'gate_run_id', value: 'x' } },
      });
    });
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      expect((await decide(await startOne(), { verdict: 'PASSED' }, 'carol')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it.each(['mallory', 'olga'] as const)(
      "another tenant's gate run is answered to %s exactly as one that exists nowhere",
      async (who) => {
        const gateRunId = await startOne();
        const foreign = await decide(gateRunId, { verdict: 'PASSED' }, who);
        expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(foreign.body).toEqual((await decide(randomUUID(), { verdict: 'PASSED' }, who)).body);
        expect((await show(gateRunId)).body.verdict).toBe('RUNNING');
      },
    );
  });

  describe('409', () => {
    it.each(GATE_RUN_DECISIONS)(
      'a run decided %s is GATE_RUN_ALREADY_DECIDED, and unchanged',
      async (verdict) => {
        const gateRunId = await startOne();
        const { body: decided } = await decide(gateRunId, { verdict, failingStep: 'x' });
        for (const again of GATE_RUN_DECISIONS) {
          expect(await decide(gateRunId, { verdict: again, failingStep: 'y' })).toMatchObject({
            status: 409,
            body: { code: 'GATE_RUN_ALREADY_DECIDED', details: { gateRunId, verdict } },
          });
        }
        expect((await show(gateRunId)).body).toEqual(decided);
      },
    );

    it('a run that was created with a decision cannot be decided again', async () => {
      const gateRunId = await startOne({ verdict: 'PASSED' });
      expect((await decide(gateRunId, { verdict: 'PASSED' })).status).toBe(409);
    });

    it('one of several simultaneous reports decides, and the run keeps its values', async () => {
      const gateRunId = await startOne();
      const steps = ['a', 'b', 'c', 'd', 'e', 'f'];
      const answers = await Promise.all(
        steps.map((failingStep) => decide(gateRunId, { verdict: 'FAILED', failingStep })),
      );
      const accepted = answers.filter(({ status }) => status === 200);
      expect(accepted).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      expect((await show(gateRunId)).body).toEqual(accepted[0]!.body);
    });
  });
});

describe('GET /v1/gate-runs/{gate_run_id}', () => {
  describe('200', () => {
    it('shows one gate run, to a caller of the operations tenant too', async () => {
      const { body } = await start();
      expect(await show(body.gateRunId as string, 'carol')).toMatchObject({ status: 200, body });
      expect(await show(body.gateRunId as string, 'olga')).toMatchObject({ status: 200, body });
    });
  });

  describe('400', () => {
    it('an id that is no UUID is INVALID_PATH_ID', async () => {
      expect((await show('x')).body.code).toBe('INVALID_PATH_ID');
    });
  });

  describe('404', () => {
    it("another tenant's gate run is answered exactly as one that exists nowhere", async () => {
      const foreign = await show(await startOne(), 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await show(randomUUID(), 'mallory')).body);
    });
  });
});

describe('GET /v1/gate-runs', () => {
  describe('200', () => {
    it('an empty listing is [], with no nextCursor', async () => {
      const { status, body } = await list(`targetBranch=${randomUUID()}`);
      expect({ status, body }).toEqual({ status: 200, body: { gateRuns: [] } });
    });

    it('newest first, by filters that compose; the filter named status is the verdict', async () => {
      const reviewId = await new ReviewScene(service).open();
      const targetBranch = `target/${randomUUID()}`;
      const first = await startOne({ targetBranch, reviewId });
      const second = await startOne({ targetBranch, sourceBranch: 'bug/7-clock', verdict: 'PASSED' });
      const third = await startOne({ targetBranch, verdict: 'FAILED', failingStep: 'lint' });
      const listIds = async (more: string): Promise<string[]> =>
        idsOf(await list(`targetBranch=${targetBranch}${more}`));
      expect(await listIds('')).toEqual([third, second, first]);
      expect(await listIds('&status=PASSED')).toEqual([second]);
      expect(await listIds('&status=RUNNING')).toEqual([first]);
      expect(await listIds('&sourceBranch=bug/7-clock')).toEqual([second]);
      expect(await listIds(`&reviewId=${reviewId}`)).toEqual([first]);
      expect(await listIds(`&reviewId=${reviewId}&status=FAILED`)).toEqual([]);
      expect(await listIds('&status=&sourceBranch=&cursor=&limit=&reviewId=&unknown=1')).toHaveLength(3);
    });

    it('pages by a keyset cursor; nextCursor is absent on the last page', async () => {
      const targetBranch = `target/${randomUUID()}`;
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.unshift(await startOne({ targetBranch }));
      // The same moment for all but the newest: the id breaks the tie.
      await service.database.query(
        'UPDATE reviews.gate_runs SET created_at = $2 WHERE target_branch = $1 AND gate_run_id <> $3',
        [targetBranch, '2026-01-01T00:00:00.000001Z', ids[0]],
      );
      const pages: string[][] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const page: TestAnswer = await list(
          `targetBranch=${targetBranch}&limit=2&cursor=${encodeURIComponent(cursor)}`,
        );
        pages.push(idsOf(page));
        cursor = page.body.nextCursor as string | undefined;
        await startOne({ targetBranch });
      }
      const [newest, ...others] = ids;
      const sorted = [newest!, ...others.sort().reverse()];
      expect(pages).toEqual([sorted.slice(0, 2), sorted.slice(2, 4), sorted.slice(4)]);
    });

    it.each([
      ['0', 50],
      ['-7', 50],
      ['', 50],
      ['60', 60],
      ['1000', 200],
    ])('limit %j gives pages of %i: the default if below 1, else 200 at most', async (limit, size) => {
      const targetBranch = `target/${randomUUID()}`;
      await service.database.query(
        `INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, verdict,
                                        creator_user_id)
         SELECT $1, gen_random_uuid(), 'x', $2, $3, 'INCONCLUSIVE', $4::uuid FROM generate_series(1, 201)`,
        [TEST_TENANTS.acme.tenantId, targetBranch, SOME_COMMIT, TEST_USERS.alice.userId],
      );
      const page = await list(`targetBranch=${targetBranch}&limit=${limit}`);
      expect(idsOf(page)).toHaveLength(size);
      expect(typeof page.body.nextCursor).toBe('string');
    });

    it("data is scoped to the caller's tenant; a caller of the operations tenant reads across", async () => {
      const targetBranch = `target/${randomUUID()}`;
      const [mine, theirs] = [
        await startOne({ targetBranch }),
        (await start({ targetBranch }, 'mallory')).body.gateRunId as string,
      ];
      expect(idsOf(await list(`targetBranch=${targetBranch}`, 'mallory'))).toEqual([theirs]);
      expect(idsOf(await list(`targetBranch=${targetBranch}`))).toEqual([mine]);
      expect(idsOf(await list(`targetBranch=${targetBranch}`, 'olga'))).toEqual([theirs, mine]);
    });
  });

  describe('400', () => {
    it.each([
      ['status', 'running'],
      ['status', 'OPEN'],
      ['reviewId', 'x'],
      ['cursor', 'x'],
      ['cursor', `2026-01-01T00:00:00Z,${randomUUID()}x`],
      ['limit', 'ten'],
      ['limit', '1.5'],
      ['targetBranch', '%00'],
    ])('%s=%s is INVALID_QUERY with the parameter', async (field, value) => {
      expect(await list(`${field}=${value}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY', details: { field } },
      });
    });
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await list('', 'dave')).body.code).toBe('FORBIDDEN');
    });
  });
});
