import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { defined } from '@plat/contracts/core';
import { ReviewScene, SOME_COMMIT, startTestService, type TestService, type TestUser } from '@plat/testing';
import { reviewsService } from './service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

/** Requests a path as a polling client does, with the tag of its last answer. */
async function poll(
  path: string,
  { tag, by = 'alice', method = 'GET' }: { tag?: string | null; by?: TestUser; method?: string } = {},
): Promise<{ status: number; tag: string | null; text: string; headers: Headers }> {
  const response = await fetch(service.url + path, {
    method,
    headers: defined({ authorization: await service.bearer(by), 'if-none-match': tag || undefined }),
  });
  const { status, headers } = response;
  return { status, tag: headers.get('etag'), text: await response.text(), headers };
}

async function startGateRun(): Promise<string> {
  const { body } = await service.send('ci', 'POST /v1/gate-runs', {
    sourceBranch: 'topic',
    targetBranch: 'main',
    sourceCommit: SOME_COMMIT,
    mergeCommit: SOME_COMMIT,
  });
  return body.gateRunId as string;
}

/** A path of each polled route, and something that changes what it answers. */
const POLLED: [string, () => Promise<{ path: string; change: () => Promise<unknown> }>][] = [
  [
    'GET /v1/reviews/{review_id}',
    async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      return { path: `/v1/reviews/${reviewId}`, change: () => scene.build(reviewId) };
    },
  ],
  [
    'GET /v1/reviews/merge-queue',
    async () => {
      const scene = new ReviewScene(service);
      await scene.openWaiting();
      const path = `/v1/reviews/merge-queue?targetBranch=${scene.targetBranch}`;
      return { path, change: () => scene.advance() };
    },
  ],
  [
    'GET /v1/gate-runs/{gate_run_id}',
    async () => {
      const path = `/v1/gate-runs/${await startGateRun()}`;
      return { path, change: () => service.send('ci', `PATCH ${path as '/'}`, { verdict: 'PASSED' }) };
    },
  ],
];

describe.each(POLLED)('%s', (_, prepare) => {
  describe('200', () => {
    it('carries a weak entity tag and the JSON body', async () => {
      const { path } = await prepare();
      const { status, tag, text, headers } = await poll(path);
      expect({ status, tag }).toEqual({ status: 200, tag: expect.stringMatching(/^W\/"[^"]+"$/) as unknown });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect((await service.send('alice', `GET ${path as '/'}`)).body).toEqual(JSON.parse(text));
    });

    it('is answered with another tag after a change', async () => {
      const { path, change } = await prepare();
      const before = await poll(path);
      await change();
      const after = await poll(path, { tag: before.tag });
      expect(after.status).toBe(200);
      expect(after.tag).not.toBe(before.tag);
      expect(after.text).not.toBe(before.text);
      expect((await poll(path, { tag: after.tag })).status).toBe(304);
    });
  });

  describe('304', () => {
    it('is answered to a caller who has the current tag, without a body', async () => {
      const { path } = await prepare();
      const { tag } = await poll(path);
      const { headers, ...again } = await poll(path, { tag });
      expect(again).toEqual({ status: 304, tag, text: '' });
      expect(headers.get('content-type')).toBeNull();
      expect(headers.get('x-request-id')).toBeTruthy();
    });

    it('is answered to HEAD as to GET', async () => {
      const { path } = await prepare();
      const { tag } = await poll(path);
      const head = await poll(path, { tag, method: 'HEAD' });
      expect([head.status, head.tag, head.headers.get('content-length')]).toEqual([304, tag, null]);
    });

    it('is audited all the same', async () => {
      const { path } = await prepare();
      const { tag } = await poll(path);
      const { headers } = await poll(path, { tag });
      const rows = await service.database.query(
        'SELECT api_method FROM audit.audit_events WHERE request_id = $1',
        [headers.get('x-request-id')],
      );
      expect(rows).toEqual([{ api_method: 'GET' }]);
    });
  });

  describe('403 and 404', () => {
    it('a caller who may not read is refused with a tag as without one', async () => {
      const { path } = await prepare();
      const { tag } = await poll(path);
      expect((await poll(path, { tag: '*', by: 'dave' })).status).toBe(403);
      const foreign = await poll(path, { tag, by: 'mallory' });
      expect(foreign.text).toBe((await poll(path, { by: 'mallory' })).text);
      expect(foreign.status).not.toBe(304);
    });
  });
});

describe('other answers', () => {
  it.each([`/v1/reviews/${randomUUID()}`, '/v1/nowhere'])(
    'a refusal carries no entity tag and never becomes a 304: %s',
    async (path) => {
      const { status, tag } = await poll(path, { tag: '*' });
      expect({ status, tag }).toEqual({ status: 404, tag: null });
    },
  );

  it('routes that no one polls send no entity tag', async () => {
    const { status, tag } = await poll('/v1/reviews?status=CLOSED', { tag: '*' });
    expect({ status, tag }).toEqual({ status: 200, tag: null });
  });
});
