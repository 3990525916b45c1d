import type { ReviewHistory } from '@plat/api-client';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';
import { nextStep } from '../terminal/next-step';
import { storyText } from './review-story';

type Event = ReviewHistory['events'][number] & { vouched?: boolean };

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const BUILD = '0198f2a4-8b72-7d4f-8e1c-6c2a1d0b3f22';
const ACTOR = '0198f2a4-6c41-7b2d-8f0a-4a0e1b8c1d33';
const AT = '2026-01-02T03:04:05.000006Z';
const HOSTILE = '<img onerror=alert(1)>\u001b[31m\u202e\nREADY: forged';

const moved = (cause: Event['cause'], to: Event['to'], more: Partial<Event> = {}): Event => ({
  at: AT,
  to,
  cause,
  actorUserId: ACTOR,
  actorUsername: 'bob',
  ...more,
});
const sentenceOf = (event: Event): string =>
  storyText(
    { reviewId: ID, name: 'N', status: event.to, events: [event], next: nextStep('plat drive') },
    () => 'now',
  ).split('\n')[1]!;

describe('the story of a review', () => {
  it.each<[Event, string]>([
    [moved('CREATED', 'OPEN'), 'OPEN: created by bob.'],
    [
      moved('BUILD_SUCCEEDED', 'READY', { from: 'OPEN', buildId: BUILD }),
      `READY: build ${BUILD} succeeded, reported by bob. It waits in the queue.`,
    ],
    [
      moved('BUILD_FAILED', 'FAILED', { from: 'OPEN', buildId: BUILD }),
      `FAILED: build ${BUILD} failed, reported by bob.`,
    ],
    [
      moved('BUILD_FAILED', 'FAILED', { from: 'READY', buildId: BUILD }),
      `FAILED: build ${BUILD} failed, reported by bob. It left the queue.`,
    ],
    [
      moved('GATE_FAILED', 'FAILED', { from: 'MERGE', buildId: BUILD }),
      `FAILED: the gate failed with build ${BUILD}, reported by bob. It freed its slot.`,
    ],
    [moved('PROMOTED', 'MERGE'), 'MERGE: promoted by bob. It took the slot of its queue.'],
    [
      moved('PROMOTED_BY_OVERRIDE', 'MERGE', { reason: 'settled by mail' }),
      'MERGE: promoted by bob over its open threads: settled by mail',
    ],
    [moved('REQUEUED', 'READY'), 'READY: put back at the tail of its queue by bob.'],
    [moved('MERGED', 'MERGED'), 'MERGED: merged through the queue, reported by bob.'],
    [
      { ...moved('MERGED', 'MERGED'), vouched: true },
      'MERGED: merged through the queue, reported by bob. Its gate is vouched for, not known.',
    ],
    [
      moved('RECONCILED', 'MERGED'),
      'MERGED: found on its target, merged without the queue, reported by bob.',
    ],
    [moved('CLOSED', 'CLOSED'), 'CLOSED: closed without a merge by bob.'],
  ])('a move in words: %j', (event, sentence) => {
    expect(sentenceOf(event)).toBe(`now  ${sentence}`);
  });

  it('says of a merge whose GATE build is vouched for that it is', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    const review = { reviewId: ID, name: 'N', status: 'MERGED', sourceBranch: 's', targetBranch: 'main' };
    platform.answer(`GET /v1/reviews/${ID}`, { body: review });
    platform.answer(`GET /v1/reviews/${ID}/history`, {
      body: { events: [moved('MERGED', 'MERGED', { buildId: BUILD }), moved('PROMOTED', 'MERGE')] },
    });
    platform.answer(`GET /v1/reviews/${ID}/builds`, {
      body: [{ buildId: BUILD, kind: 'GATE', vouched: true }],
    });
    const why = (await machine.plat(['review', 'why', ID, '--json'])).json<{ events: Event[] }>();
    expect(why.events.map(({ cause, vouched }) => [cause, vouched])).toEqual([
      ['PROMOTED', undefined],
      ['MERGED', true],
    ]);
    await dispose();
  });

  it('a hostile reason is text on its own line', () => {
    const event = moved('PROMOTED_BY_OVERRIDE', 'MERGE', { reason: HOSTILE });
    expect(sentenceOf(event)).toBe(
      'now  MERGE: promoted by bob over its open threads: <img onerror=alert(1)> [31m  READY: forged',
    );
  });
});

describe('plat review why', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  const live = { reviewId: ID, name: 'N', status: 'MERGE', targetBranch: 'main', sourceBranch: 'topic' };
  const events = [
    moved('PROMOTED_BY_OVERRIDE', 'MERGE', { from: 'READY', reason: HOSTILE }),
    moved('CREATED', 'OPEN', { at: '2026-01-01T00:00:00Z' }),
  ];

  async function setUp(review: object = live, history: object = { events }) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    bundle.platform.answer(`GET /v1/reviews/${ID}`, { body: review });
    bundle.platform.answer(`GET /v1/reviews/${ID}/history`, { body: history });
    return bundle;
  }

  it('shows the newest last, exact times in a pipe, and the next command', async () => {
    const { machine } = await setUp();
    const run = await machine.plat(['review', 'why', ID]);
    expect(run.stdout.split('\n')).toEqual([
      `N (${ID})`,
      '2026-01-01T00:00:00Z         OPEN: created by bob.',
      `${AT}  MERGE: promoted by bob over its open threads: <img onerror=alert(1)> [31m  READY: forged`,
      '',
    ]);
    expect(run.stderr).toContain('next: plat drive');
  });

  it('gives all of it as JSON, oldest first, with exact times and the reason as it is', async () => {
    const { machine } = await setUp();
    expect((await machine.plat(['review', 'why', ID, '--json'])).json()).toEqual({
      reviewId: ID,
      name: 'N',
      status: 'MERGE',
      events: events.toReversed(),
      next: 'plat drive',
    });
  });

  it('says why a review is FAILED', async () => {
    const { machine, platform } = await setUp({ ...live, status: 'FAILED', lastFailedBuildId: BUILD });
    const build = {
      buildId: BUILD,
      kind: 'GATE',
      commitId: 'a'.repeat(40),
      createdAt: AT,
      failureDetail: 'unit: 3',
    };
    platform.answer(`GET /v1/reviews/${ID}/builds`, { body: [build] });
    const run = await machine.plat(['review', 'why', ID]);
    expect(run.stdout).toContain(`The gate build of ${'a'.repeat(40)} failed at ${AT}:\n  unit: 3\n`);
    expect(run.stderr).toContain(`plat review record-build ${ID}`);
  });

  it('asks for a page by --limit and --cursor, and names the one before it', async () => {
    const { machine, platform } = await setUp(live, { events, nextCursor: '7' });
    const run = await machine.plat(['review', 'why', ID, '--limit', '2', '--cursor', '9']);
    expect(run.stderr).toContain('There are earlier ones: --cursor 7');
    expect(platform.requests.map(({ url }) => url)).toContain(`/v1/reviews/${ID}/history?limit=2&cursor=9`);
  });

  it('without a review takes the live one of the branch that is checked out', async () => {
    const { machine, platform } = await setUp();
    const checkout = await GateCheckout.create(machine);
    await checkout.git('remote', 'set-url', 'origin', 'https://git.example.com/acme/app.git');
    await checkout.git('switch', '--quiet', '--create', 'topic');
    const why = () => machine.plat(['review', 'why', '--json'], { cwd: checkout.folder });
    platform.answer('GET /v1/reviews', { body: [{ ...live, reviewId: BUILD, status: 'CLOSED' }, live] });
    expect((await why()).json()).toMatchObject({ reviewId: ID });
    expect(platform.requests.map(({ url }) => url)).toContain(
      '/v1/reviews?repository=https:%2F%2Fgit.example.com%2Facme%2Fapp&sourceBranch=topic',
    );

    platform.answer('GET /v1/reviews', {
      body: [live, { ...live, reviewId: BUILD, targetBranch: 'release' }],
    });
    expect((await why()).json()).toMatchObject({
      code: 'AMBIGUOUS_ID',
      details: { candidates: [ID, BUILD] },
    });
    platform.answer('GET /v1/reviews', { body: [] });
    expect((await why()).json()).toMatchObject({ code: 'NO_LIVE_REVIEW', exitCode: 1 });
    await checkout.git('switch', '--quiet', '--detach');
    expect((await why()).json()).toMatchObject({ code: 'NO_BRANCH', exitCode: 1 });
  });
});
