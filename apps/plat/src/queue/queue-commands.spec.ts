import { QUEUE_STATISTICS, QUEUE_STATUS } from '../black-box/queue-answers';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const HOLDER = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e22';
const OTHER = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e33';
const REPOSITORY = 'https://git.example.com/acme/app';
const AT = '2026-01-02T03:04:05.000006Z';
const HOSTILE = '<img onerror=alert(1)>\u001b[31m\u202e';

const review = (reviewId: string, fields: object = {}) => ({
  reviewId,
  tenantId: ID,
  authorUserId: ID,
  name: 'Add limits',
  repository: REPOSITORY,
  sourceBranch: 'topic',
  targetBranch: 'main',
  status: 'READY',
  createdAt: AT,
  updatedAt: AT,
  ...fields,
});
const queued = (reviewId: string, fields: object = {}) => ({
  reviewId,
  name: `review ${reviewId.slice(-2)}`,
  sourceBranch: 'topic',
  authorUserId: ID,
  ...fields,
});
const ESTIMATE = {
  earliest: '2026-01-02T04:00:00Z',
  likely: '2026-01-02T05:00:00Z',
  latest: '2026-01-02T06:00:00Z',
  basis: 9,
  errorSeconds: 61,
};
const SLOT = {
  review: queued(HOLDER, { name: HOSTILE }),
  since: AT,
  activity: 'GATE_FAILED_NOT_RECORDED',
  gateRunId: ID,
  gateRunSince: AT,
  health: 'STUCK',
  cause: 'GATE_FAILED_NOT_RECORDED',
  estimate: { unavailable: 'OVERDUE' },
};
const BUSY = {
  ...QUEUE_STATUS,
  repository: REPOSITORY,
  version: 42,
  slot: SLOT,
  entries: [
    queued(OTHER, { position: 1, since: AT, estimate: ESTIMATE }),
    queued(ID, {
      position: 2,
      since: AT,
      blockedBy: { openThreads: 2 },
      estimate: { unavailable: 'BLOCKED' },
    }),
  ],
};
const HISTORY = {
  events: [{ at: AT, from: 'MERGE', to: 'READY', cause: 'REQUEUED', actorUserId: ID, actorUsername: 'bob' }],
};

describe('the commands of a queue', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(status: object = BUSY, shown: object = review(ID)) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    bundle.platform.answer('GET /v1/reviews/merge-queue/status', { body: status });
    bundle.platform.answer(`GET /v1/reviews/${ID}`, { body: shown });
    bundle.platform.answer(`GET /v1/reviews/${ID}/history`, { body: HISTORY });
    bundle.platform.answer('GET /v1/reviews/merge-queue', { body: [review(OTHER), review(ID)] });
    return bundle;
  }
  const QUEUE = ['--target-branch', 'main', '--repository', REPOSITORY];

  describe('plat status', () => {
    it('shows position, who is ahead, what blocks it, the slot, the estimate, the last move and the next command', async () => {
      const { machine } = await setUp();
      const run = await machine.plat(['status', ID]);
      expect(run.stdout.split('\n')).toEqual([
        `Add limits (${ID})`,
        `status    READY, place 2 of the queue, since ${AT}`,
        'branch    topic onto main',
        'ahead     at MERGE: "<img onerror=alert(1)> [31m ", 1: "review 33"',
        'blocked   2 open threads',
        `slot      "<img onerror=alert(1)> [31m " (${HOLDER}), at MERGE since ${AT}: the gate failed, and no failed GATE build is recorded (${AT}). STUCK: usual is 10 min, and 20 min is long, until there are five merges`,
        'estimate  unknown: it has open threads',
        `last      ${AT}: READY: put back at the tail of its queue by bob.`,
        '',
      ]);
      expect(run.stderr).toContain(`next: plat review comments ${ID}`);
    });

    it('gives all of it as JSON, with exact times and names as they are', async () => {
      const { machine } = await setUp();
      expect((await machine.plat(['status', ID, '--json'])).json()).toMatchObject({
        reviewId: ID,
        status: 'READY',
        position: 2,
        since: AT,
        ahead: [
          { reviewId: HOLDER, name: HOSTILE },
          { reviewId: OTHER, position: 1 },
        ],
        blockedBy: { openThreads: 2 },
        estimate: { unavailable: 'BLOCKED' },
        slot: SLOT,
        last: HISTORY.events[0],
      });
    });

    it('of a review that is not blocked waits, and of one behind a stuck slot asks why', async () => {
      const entries = [queued(ID, { position: 1, since: AT, estimate: ESTIMATE })];
      const stuck = await setUp({ ...BUSY, entries });
      expect((await stuck.machine.plat(['status', ID])).stderr).toContain(`next: plat review why ${HOLDER}`);
      const late = await setUp({ ...BUSY, entries, slot: { ...SLOT, health: 'LATE' } });
      const run = await late.machine.plat(['status', ID]);
      expect(run.stderr).toContain(`next: plat review wait ${ID}`);
      expect(run.stdout).toContain(
        "estimate  merged 2026-01-02T05:00:00Z, between 2026-01-02T04:00:00Z and 2026-01-02T06:00:00Z (by 9 merges; median error of last week's: 1 min 1 s)",
      );
      const free = await setUp({ ...BUSY, entries, slot: { ...QUEUE_STATUS.slot, since: AT } });
      expect((await free.machine.plat(['status', ID])).stderr).toContain('next: plat drive');
    });

    it('of the review at MERGE shows the slot as its own', async () => {
      const slot = { ...SLOT, review: queued(ID) };
      const { machine } = await setUp({ ...BUSY, slot, entries: [] }, review(ID, { status: 'MERGE' }));
      const found = (await machine.plat(['status', ID, '--json'])).json();
      expect(found).toMatchObject({ status: 'MERGE', slot, estimate: { unavailable: 'OVERDUE' } });
      expect(found).not.toHaveProperty('position');
    });

    it('reads page after page until the review is there', async () => {
      const { machine, platform } = await setUp();
      const [first, own] = BUSY.entries;
      platform.answer('GET /v1/reviews/merge-queue/status', ({ url }) => ({
        body: url.includes('cursor=1-7')
          ? { ...BUSY, entries: [own] }
          : { ...BUSY, entries: [first], nextCursor: '1-7' },
      }));
      const run = await machine.plat(['status', ID, '--json']);
      expect(run.json()).toMatchObject({ position: 2, ahead: [{ reviewId: HOLDER }, { reviewId: OTHER }] });
    });

    it.each(['MERGE_QUEUE_AMBIGUOUS', 'FORBIDDEN'])(
      'goes on without the queue if the platform answers %s',
      async (code) => {
        const { machine, platform } = await setUp();
        platform.answer('GET /v1/reviews/merge-queue/status', {
          status: code === 'FORBIDDEN' ? 403 : 409,
          body: { code, message: 'no' },
        });
        const found = (await machine.plat(['status', ID, '--json'])).json();
        expect(found).toMatchObject({ status: 'READY', last: HISTORY.events[0] });
        expect(found).not.toHaveProperty('slot');
      },
    );
  });

  it('queue list adds position, since, estimate and health to each review, exact in a pipe', async () => {
    const { machine } = await setUp();
    const run = await machine.plat(['review', 'queue', 'list', ...QUEUE]);
    expect(run.stdout.split('\n')[0]!.split('\t')).toEqual([
      '1',
      'main',
      OTHER,
      'topic',
      'Add limits',
      ID,
      AT,
      ESTIMATE.likely,
      'STUCK',
    ]);
    expect((await machine.plat(['review', 'queue', 'list', ...QUEUE, '--json'])).json()).toMatchObject([
      { ...review(OTHER), position: 1, since: AT, estimate: ESTIMATE, slot: { health: 'STUCK' } },
      { ...review(ID), position: 2, blockedBy: { openThreads: 2 } },
    ]);
  });

  it('queue list on a terminal is no wider than the terminal, and its times are relative', async () => {
    const { machine } = await setUp();
    const env = { PLAT_FORCE_TTY: '1', PLAT_IDLE_PROBE: '', NO_COLOR: '1' };
    const run = await machine.plat(['review', 'queue', 'list', ...QUEUE], { env });
    const [header, ...rows] = run.stdout.trimEnd().split('\n');
    expect(header).toMatch(/^PLACE/);
    expect(rows).toHaveLength(2);
    for (const line of [header!, ...rows]) {
      expect([...line].length).toBeLessThanOrEqual(80);
    }
    expect(run.stdout).not.toContain(AT);
  });

  it('queue show has the slot, the pace and the line; its JSON is the answer of the platform', async () => {
    const { machine, platform } = await setUp();
    const run = await machine.plat(['review', 'queue', 'show', ...QUEUE, '--limit', '2']);
    expect(run.stdout).toContain(`queue      main of ${REPOSITORY}, version 42\nslot       "<img onerror`);
    expect(run.stdout).toContain('health     STUCK\n');
    expect(run.stdout).toContain(`2\t${ID}\ttopic`);
    const { url } = platform.to('GET /v1/reviews/merge-queue/status')[0]!;
    expect(new URL(url, platform.url).searchParams.get('limit')).toBe('2');
    expect((await machine.plat(['review', 'queue', 'show', ...QUEUE, '--json'])).json()).toEqual(BUSY);
  });

  it('queue stats counts, with units, and names the flaky steps', async () => {
    const { machine, platform } = await setUp();
    const body = {
      ...QUEUE_STATISTICS,
      outcomes: { ...QUEUE_STATISTICS.outcomes, merged: 3 },
      mergeToMerged: { basis: 3, meanSeconds: 61, p50Seconds: 60, p95Seconds: 90.5 },
      flakySteps: [{ failingStep: HOSTILE, flakyRuns: 2, failingRuns: 3, lastAt: AT, lastGateRunId: ID }],
    };
    platform.answer('GET /v1/reviews/merge-queue/statistics', { body });
    const args = ['review', 'queue', 'stats', ...QUEUE];
    const { stdout } = await machine.plat(args);
    expect(stdout).toContain('merged           3\n');
    expect(stdout).toContain('MERGE to MERGED  mean 1 min 1 s, p50 1 min, p95 1 min 31 s (3 merges)\n');
    expect(stdout).toContain('READY to MERGE   no merge\n');
    expect(stdout).toContain(
      `  <img onerror=alert(1)> [31m : 2 of 3 failing runs, the last one ${AT} (${ID})\n`,
    );
    expect((await machine.plat([...args, '--json'])).json()).toEqual(body);
  });
});
