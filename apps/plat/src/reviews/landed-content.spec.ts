import { QUEUE_STATUS } from '../black-box/queue-answers';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const AT = '2026-01-02T03:04:05.000006Z';
const REPOSITORY = 'https://git.example.com/acme/app';
const LOUD = 'its landed content is DIVERGENT';
const BY_HAND = 'its landed content is BY_HAND: a person decided conflicts, or landed a part of it before';

describe('a review that is MERGED with content that a person has to look at', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  /** @param shown the verdict in the review itself @param judged the one in its receipt; undefined: it has none */
  async function setUp(shown?: string, judged?: string) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const { platform } = bundle;
    const review = {
      ...{ reviewId: ID, tenantId: ID, authorUserId: ID, name: 'Add limits', repository: REPOSITORY },
      ...{ sourceBranch: 'topic', targetBranch: 'main', status: 'MERGED', createdAt: AT, updatedAt: AT },
      contentVerdict: shown,
    };
    platform.answer(`GET /v1/reviews/${ID}`, { body: review });
    platform.answer('GET /v1/reviews', { body: [review] });
    platform.answer(`PATCH /v1/reviews/${ID}/status`, { body: { ...review, contentVerdict: undefined } });
    platform.answer(`GET /v1/reviews/${ID}/history`, {
      body: {
        events: [
          { at: AT, from: 'MERGE', to: 'MERGED', cause: 'RECONCILED', actorUserId: ID, actorUsername: 'bob' },
        ],
      },
    });
    if (judged !== undefined) {
      platform.answer(`GET /v1/reviews/${ID}/merge-receipt`, { body: { contentVerdict: judged } });
    }
    return bundle;
  }

  it.each<[string, string[], { code: number }]>([
    ['review wait', ['review', 'wait', ID], { code: 4 }],
    ['review wait for several statuses', ['review', 'wait', ID, '--until=merged,failed'], { code: 4 }],
    ['review wait --any-content', ['review', 'wait', ID, '--any-content'], { code: 0 }],
    ['status', ['status', ID], { code: 0 }],
    ['review why', ['review', 'why', ID], { code: 0 }],
  ])('is shown by %s, in text and in JSON', async (_what, args, { code }) => {
    const { machine } = await setUp('DIVERGENT');
    const run = await machine.plat(args);
    expect(run.code).toBe(code);
    expect(run.stdout).toContain(LOUD);
    const json = await machine.plat([...args, '--json']);
    expect(json.code).toBe(code);
    expect(json.json()).toMatchObject({ status: 'MERGED', contentVerdict: 'DIVERGENT' });
  });

  it.each([
    ['review wait', ['review', 'wait', ID]],
    ['status', ['status', ID]],
    ['review why', ['review', 'why', ID]],
  ])('is shown by %s with the place to look, and is no failure, if it is BY_HAND', async (_what, args) => {
    const { machine } = await setUp('BY_HAND');
    const run = await machine.plat(args);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(`${BY_HAND}. See where: plat review show ${ID}`);
    expect((await machine.plat([...args, '--json'])).json()).toMatchObject({ contentVerdict: 'BY_HAND' });
  });

  it('is shown by review list if it is BY_HAND', async () => {
    const { machine } = await setUp('BY_HAND');
    expect((await machine.plat(['review', 'list'])).stdout).toContain('\tMERGED BY_HAND\t');
  });

  it('is shown by review list, so that its status is not MERGED alone', async () => {
    const { machine } = await setUp('DIVERGENT');
    expect((await machine.plat(['review', 'list'])).stdout).toContain('\tMERGED DIVERGENT\t');
    expect((await machine.plat(['review', 'list', '--json'])).json()).toMatchObject([
      { contentVerdict: 'DIVERGENT' },
    ]);
  });

  it('is shown by review queue show', async () => {
    const { machine, platform } = await setUp();
    const landing = {
      reviewId: ID,
      name: 'Add limits',
      sourceBranch: 'topic',
      authorUserId: ID,
      landedAt: AT,
    };
    platform.answer('GET /v1/reviews/merge-queue/status', {
      body: { ...QUEUE_STATUS, divergent: [landing] },
    });
    const show = ['review', 'queue', 'show', '--target-branch=main', `--repository=${REPOSITORY}`];
    expect((await machine.plat(show)).stdout).toContain(
      `DIVERGENT  "Add limits", MERGED ${AT}, is not what was reviewed: plat review show ${ID}`,
    );
    expect((await machine.plat([...show, '--json'])).json()).toMatchObject({ divergent: [landing] });
  });

  it('is shown by review report-merged', async () => {
    const { machine } = await setUp(undefined, 'DIVERGENT');
    const report = ['review', 'report-merged', ID, `--remote-url=${REPOSITORY}`];
    expect((await machine.plat(report)).stdout).toContain(LOUD);
  });

  it.each([
    ['is judged by its receipt if the review has no verdict yet', 'UNKNOWN', 'DIVERGENT', 4],
    ['is no failure if it is judged as reviewed', 'UNKNOWN', 'EXACT', 0],
    ['is no failure if a person decided conflicts', 'BY_HAND', undefined, 0],
    ['is no failure if nothing can judge it', undefined, undefined, 0],
  ])('of a wait %s', async (_what, shown, judged, code) => {
    const { machine } = await setUp(shown, judged);
    expect((await machine.plat(['review', 'wait', ID])).code).toBe(code);
  });
});
