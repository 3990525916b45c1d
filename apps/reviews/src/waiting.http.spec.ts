import { setTimeout as delay } from 'node:timers/promises';
import { buildsService } from '@plat/builds';
import { defined, newId } from '@plat/contracts/core';
import { applyDirectory } from '@plat/database';
import {
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  testDirectory,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { reviewsService } from './service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

interface Asked {
  tag?: string | null;
  prefer?: string;
  by?: TestUser;
  signal?: AbortSignal;
  of?: TestService;
}

async function ask(path: string, { tag, prefer, by = 'alice', signal, of = service }: Asked = {}) {
  const since = performance.now();
  const response = await fetch(of.url + path, {
    headers: defined({
      authorization: await of.bearer(by),
      'if-none-match': tag || undefined,
      prefer,
    }),
    signal: signal ?? null,
  });
  const { status, headers } = response;
  return {
    status,
    tag: headers.get('etag'),
    applied: headers.get('preference-applied'),
    requestId: headers.get('x-request-id'),
    text: await response.text(),
    seconds: (performance.now() - since) / 1000,
  };
}

const current = async (path: string, by: TestUser = 'alice') => (await ask(path, { by })).tag;

/** Resolves once so many requests wait. */
async function waitForRequests(count: number, of = service): Promise<void> {
  const line = `plat_requests_waiting_for_change{service="reviews"} ${count}\n`;
  while (!(await (await fetch(`${of.url}/metrics`)).text()).includes(line)) await delay(20);
}

interface Prepared {
  path: string;
  change: () => Promise<unknown>;
}

/** Asks to wait for several changes at the same time, and makes them once all requests wait. */
async function askAndChangeAll(prepared: readonly Prepared[], asked: Asked = {}) {
  const tags = await Promise.all(prepared.map(({ path }) => current(path, asked.by)));
  const answers = prepared.map(({ path }, at) =>
    ask(path, { tag: tags[at] ?? null, prefer: 'wait=30', ...asked }),
  );
  await waitForRequests(prepared.length);
  for (const { change } of prepared) await change();
  return (await Promise.all(answers)).map((answer, at) => ({ ...answer, before: tags[at] }));
}

/** Asks to wait for a change, and makes it once the request waits. */
async function askAndChange(path: string, change: () => Promise<unknown>, asked: Asked = {}) {
  const [answer] = await askAndChangeAll([{ path, change }], asked);
  return answer!;
}

async function startGateRun(body: Record<string, unknown> = {}): Promise<string> {
  const answer = await service.send('ci', 'POST /v1/gate-runs', {
    sourceBranch: 'topic',
    targetBranch: 'main',
    sourceCommit: SOME_COMMIT,
    mergeCommit: SOME_COMMIT,
    ...body,
  });
  return answer.body.gateRunId as string;
}

const decide = (run: string, verdict: Record<string, unknown>) =>
  service.send('ci', `PATCH /v1/gate-runs/${run}`, verdict);
const lineOf = ({ targetBranch }: ReviewScene) => `/v1/reviews/merge-queue?targetBranch=${targetBranch}`;
const statusOf = ({ targetBranch }: ReviewScene) =>
  `/v1/reviews/merge-queue/status?targetBranch=${targetBranch}`;

type Kind = [string, (scene: ReviewScene) => Promise<Prepared>];

const reviewAt =
  (
    status: Parameters<ReviewScene['reach']>[0],
    change: (scene: ReviewScene, id: string) => Promise<unknown>,
  ): Kind[1] =>
  async (scene) => {
    const id = await scene.reach(status);
    return { path: `/v1/reviews/${id}`, change: () => change(scene, id) };
  };

/** Each kind of change of what a route shows. */
const CHANGES: Kind[] = [
  ['a review: a green build', reviewAt('OPEN', (scene, id) => scene.build(id))],
  ['a review: a red build', reviewAt('READY', (scene, id) => scene.build(id, { successful: false }))],
  ['a review: another red build', reviewAt('FAILED', (scene, id) => scene.build(id, { successful: false }))],
  [
    'a review: a red gate',
    reviewAt('MERGE', (scene, id) => scene.build(id, { successful: false, kind: 'GATE' })),
  ],
  ['a review: its promotion', reviewAt('READY', (scene) => scene.advance())],
  ['a review: its requeue', reviewAt('MERGE', (scene, id) => scene.patch(id, { status: 'READY' }))],
  ['a review: its end', reviewAt('OPEN', (scene, id) => scene.patch(id, { status: 'CLOSED' }))],
  ['a line: a review comes', async (scene) => ({ path: lineOf(scene), change: () => scene.openWaiting() })],
  [
    'a line: its head leaves',
    async (scene) => {
      await scene.openWaiting();
      return { path: lineOf(scene), change: () => scene.advance() };
    },
  ],
  [
    'a line: one of it fails',
    async (scene) => {
      const id = await scene.openWaiting();
      return { path: lineOf(scene), change: () => scene.build(id, { successful: false }) };
    },
  ],
  [
    'a status: a review comes',
    async (scene) => ({ path: statusOf(scene), change: () => scene.openWaiting() }),
  ],
  [
    'a status: a thread is opened',
    async (scene) => {
      const id = await scene.openWaiting();
      return { path: statusOf(scene), change: () => scene.comment(id) };
    },
  ],
  [
    'a status: the slot has a gate run',
    async (scene) => {
      const reviewId = await scene.green();
      const { targetBranch } = scene;
      return { path: statusOf(scene), change: () => startGateRun({ reviewId, targetBranch }) };
    },
  ],
  [
    'a gate run: it passes',
    async () => {
      const run = await startGateRun();
      return { path: `/v1/gate-runs/${run}`, change: () => decide(run, { verdict: 'PASSED' }) };
    },
  ],
  [
    'a gate run: it fails at a step',
    async () => {
      const run = await startGateRun();
      return {
        path: `/v1/gate-runs/${run}`,
        change: () => decide(run, { verdict: 'FAILED', failingStep: 'lint' }),
      };
    },
  ],
];

describe('Prefer: wait', () => {
  describe('is answered when it has changed', () => {
    type Answer = Awaited<ReturnType<typeof askAndChange>> & { now: string };
    const answers = new Map<string, Answer>();

    const expectChange = ({ status, applied, tag, before, text, seconds, now }: Answer) => {
      expect({ status, applied }).toEqual({ status: 200, applied: 'wait=30' });
      expect(tag).not.toBe(before);
      expect(seconds).toBeLessThan(20);
      expect(text).toBe(now);
    };

    // All at once, since versions are asked for once a second however many wait.
    beforeAll(async () => {
      const prepared = await Promise.all(CHANGES.map(([, prepare]) => prepare(new ReviewScene(service))));
      for (const [at, answer] of (await askAndChangeAll(prepared)).entries()) {
        answers.set(CHANGES[at]![0], { ...answer, now: (await ask(prepared[at]!.path)).text });
      }
    });

    it.each(CHANGES)('%s', (name) => expectChange(answers.get(name)!));

    it('every line: a review comes to one', async () => {
      const path = '/v1/reviews/merge-queue';
      const answer = await askAndChange(path, () => new ReviewScene(service).openWaiting());
      expectChange({ ...answer, now: (await ask(path)).text });
    });
  });

  it('a slot that is stuck is news by the clock alone', async () => {
    const scene = new ReviewScene(service);
    await scene.green();
    // The pace of a queue without merges: stuck after 3,600 seconds.
    await service.database.query(
      `SET session_replication_role = replica;
       UPDATE reviews.queue_moves SET created_at = now() - interval '3597 seconds'
        WHERE target_branch = '${scene.targetBranch}';
       RESET session_replication_role`,
    );
    const tag = await current(statusOf(scene));
    const { status, text, seconds } = await ask(statusOf(scene), { tag, prefer: 'wait=30' });
    expect({ status, health: (JSON.parse(text) as { slot: object }).slot }).toEqual({
      status: 200,
      health: expect.objectContaining({ health: 'STUCK', cause: 'NO_GATE_RUN' }) as object,
    });
    expect(seconds).toBeLessThan(20);
  });

  it('a status of which nothing changes is 304', async () => {
    const scene = new ReviewScene(service);
    await scene.green();
    const tag = await current(statusOf(scene));
    expect(await ask(statusOf(scene), { tag, prefer: 'wait=2' })).toMatchObject({
      status: 304,
      applied: 'wait=2',
    });
  });

  it('is 304 with the same tag when its time is over', async () => {
    const path = `/v1/reviews/${await new ReviewScene(service).open()}`;
    const tag = await current(path);
    const { seconds, requestId: _, ...answer } = await ask(path, { tag, prefer: 'wait=2' });
    expect(answer).toEqual({ status: 304, tag, applied: 'wait=2', text: '' });
    expect(seconds).toBeGreaterThan(1.9);
  });

  it('is clamped to 30 seconds, and the answer says so', async () => {
    const scene = new ReviewScene(service);
    const id = await scene.open();
    const { status, applied } = await askAndChange(`/v1/reviews/${id}`, () => scene.build(id), {
      prefer: 'wait=3600',
    });
    expect({ status, applied }).toEqual({ status: 200, applied: 'wait=30' });
  });

  it('sleeps through what the route does not show', async () => {
    const scene = new ReviewScene(service);
    const id = await scene.open();
    const { status } = await askAndChange(`/v1/reviews/${id}`, () => scene.comment(id), { prefer: 'wait=2' });
    expect(status).toBe(304);
  });

  it.each([
    ['without a tag', { prefer: 'wait=30' }],
    ['with a tag of before', { prefer: 'wait=30', tag: 'W/"before"' }],
  ])('is answered at once %s', async (_, asked) => {
    const path = `/v1/reviews/${await new ReviewScene(service).open()}`;
    const { status, seconds } = await ask(path, asked);
    expect(status).toBe(200);
    expect(seconds).toBeLessThan(20);
  });

  it.each([
    '/v1/reviews/nonsense',
    '/v1/reviews/merge-queue?targetBranch=%00',
    '/v1/reviews/merge-queue?targetBranch=a&targetBranch=b',
  ])('a request that is refused is refused at once: %s', async (path) => {
    const { status, applied } = await ask(path, { tag: '*', prefer: 'wait=30' });
    expect({ status, applied }).toEqual({ status: 400, applied: null });
  });

  it('a review of another tenant is as none', async () => {
    const path = `/v1/reviews/${await new ReviewScene(service).open()}`;
    const { status } = await ask(path, { tag: await current(path), prefer: 'wait=30', by: 'mallory' });
    expect(status).toBe(404);
  });

  it('the operations tenant waits for what is of any tenant', async () => {
    const scene = new ReviewScene(service);
    const id = await scene.open();
    const { status, text } = await askAndChange(`/v1/reviews/${id}`, () => scene.build(id), { by: 'olga' });
    expect([status, text]).toEqual([200, expect.stringContaining('"MERGE"')]);
  });

  it('a line of any length is waited for, and has a tag', async () => {
    const scene = new ReviewScene(service);
    await scene.green();
    await lengthen(scene, 250);
    const [head] = await scene.line();
    const { status, tag, before, text } = await askAndChange(lineOf(scene), () =>
      scene.build(head!, { successful: false }),
    );
    expect({ status, reviews: (JSON.parse(text) as object[]).length }).toEqual({ status: 200, reviews: 249 });
    expect(before).not.toBeNull();
    expect(tag).not.toBe(before);
    expect((await ask(lineOf(scene), { tag })).status).toBe(304);
  });
});

describe('the trail', () => {
  const rows = (requestId: string | null) =>
    service.database.query('SELECT api_method FROM audit.audit_events WHERE request_id = $1', [requestId]);

  /** How many reads of single reviews the trail has. */
  const count = async () => {
    const [row] = await service.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit.audit_events WHERE api_method = 'GET' AND api_path LIKE '/v1/reviews/%'`,
    );
    return row!.n;
  };

  it.each(['wait=2', 'wait=30'])(
    'a request that waits has one row, as it is answered: %s',
    async (prefer) => {
      const scene = new ReviewScene(service);
      const id = await scene.open();
      const before = await count();
      const tag = await current(`/v1/reviews/${id}`);
      const answer = ask(`/v1/reviews/${id}`, { tag, prefer });
      await waitForRequests(1);
      expect(await count()).toBe(before + 1);
      await scene.build(id);
      expect(await rows((await answer).requestId)).toEqual([{ api_method: 'GET' }]);
    },
  );

  it('a caller who has gone away waits no longer, and its request has its row', async () => {
    const id = await new ReviewScene(service).open();
    const tag = await current(`/v1/reviews/${id}`);
    const gone = new AbortController();
    const before = await count();
    const answer = ask(`/v1/reviews/${id}`, { tag, prefer: 'wait=30', signal: gone.signal }).catch(
      () => 'gone',
    );
    await waitForRequests(1);
    gone.abort();
    await waitForRequests(0);
    expect(await answer).toBe('gone');
    while ((await count()) === before) await delay(20);
    expect(await count()).toBe(before + 1);
  });
});

it('a caller who is disabled while it waits gets no data, and has no row', async () => {
  const scene = new ReviewScene(service);
  const id = await scene.open();
  const path = `/v1/reviews/${id}`;
  const { status, text, requestId } = await askAndChange(
    path,
    async () => {
      const directory = testDirectory(service.issuer.url);
      directory.users.find(({ username }) => username === 'bob')!.state = 'disabled';
      await applyDirectory(service.database.ownerUrl, directory);
      await scene.build(id);
    },
    { by: 'bob' },
  );
  expect([status, JSON.parse(text)]).toEqual([403, expect.objectContaining({ code: 'USER_DISABLED' })]);
  expect(
    await service.database.query('SELECT 1 FROM audit.audit_events WHERE request_id = $1', [requestId]),
  ).toEqual([]);
});

it('a service that ends answers every request that waits', async () => {
  const ending = await startTestService(reviewsService, buildsService);
  const path = `/v1/reviews/${await new ReviewScene(ending).open()}`;
  const { tag } = await ask(path, { of: ending });
  const answers = Array.from({ length: 5 }, () => ask(path, { of: ending, tag, prefer: 'wait=30' }));
  await waitForRequests(5, ending);
  await ending.stop();
  for (const { status, seconds } of await Promise.all(answers)) {
    expect(status).toBe(304);
    expect(seconds).toBeLessThan(20);
  }
});

/** Lets so many reviews wait on a line whose slot is taken. */
async function lengthen({ targetBranch }: ReviewScene, length: number): Promise<void> {
  await service.database.query(
    `SELECT b.* FROM reviews.reviews slot
      CROSS JOIN LATERAL tenancy.enter_as(identity.issue_proof(slot.tenant_id, slot.author_user_id,
        identity.caller_digest(NULL, NULL, NULL)), false) AS tenant
      CROSS JOIN unnest($2::uuid[]) AS build
      CROSS JOIN LATERAL reviews.create_review(tenant, gen_random_uuid(), slot.author_user_id, build::text,
        slot.repository, build::text, slot.target_branch) AS r
      CROSS JOIN LATERAL builds.report_review_build(tenant, r.review_id, build, 'RECORDED', true, $3, '1.0.0', NULL,
        NULL) AS b
      WHERE slot.target_branch = $1 AND slot.status = 'MERGE'`,
    [targetBranch, Array.from({ length }, () => newId()), SOME_COMMIT],
  );
}
