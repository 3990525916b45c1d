import { rm } from 'node:fs/promises';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { gitIn } from '../git/git';
import { takeStep } from './drive-loop';
import { giveUp } from './give-up';
import { reportStep } from './landing-steps';
import { mergeStep } from './merge-step';

const RUN = `${REVIEW_ID.slice(0, -1)}2`;
const STATUS = `PATCH /v1/reviews/${REVIEW_ID}/status`;

describe('a review that is given up', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch(SOURCE, { 'part.txt': 'part\n' });
    at('MERGE');
    bench.platform.answer(STATUS, ({ body }) => ({ body }));
    bench.platform.answer(`PATCH /v1/gate-runs/${RUN}`, ({ body }) => ({ body }));
  });
  afterEach(() => bench.strike());

  const at = (status: string) =>
    bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}`, {
      body: { reviewId: REVIEW_ID, name: 'Add limits', status },
    });
  const patched = (route: string) => bench.platform.to(route).map(({ body }) => body);
  const outcome = async () => (await giveUp(bench.context())).reviews[0];

  it('goes back to its queue, its gate run ends, and nothing of the checkout moves', async () => {
    const before = await bench.checkout.everything();
    const merged = await takeStep(bench.context(), mergeStep, bench.state());
    await bench.stateFile.write({ ...merged, gateRunId: RUN });
    expect(await outcome()).toMatchObject({
      reviewId: REVIEW_ID,
      outcome: 'ABANDONED',
      detail: 'It was put back to the tail of the queue.',
    });
    expect(patched(STATUS)).toEqual([{ status: 'READY' }]);
    expect(patched(`PATCH /v1/gate-runs/${RUN}`)).toEqual([{ verdict: 'INCONCLUSIVE' }]);
    expect(await bench.checkout.everything()).toBe(before);
    expect(await bench.stateFile.read()).toBeUndefined();
  });

  it('keeps the verdict of its gate run', async () => {
    await bench.stateFile.write(bench.state({ gateRunId: RUN, verdict: { successful: false } }));
    await giveUp(bench.context());
    expect(patched(`PATCH /v1/gate-runs/${RUN}`)).toEqual([]);
  });

  it('is only removed from the state file if its status was changed meanwhile', async () => {
    at('CLOSED');
    await bench.stateFile.write(bench.state());
    expect(await outcome()).toMatchObject({ detail: 'It is at CLOSED; nothing was changed.' });
    expect(patched(STATUS)).toEqual([]);
    expect(await bench.stateFile.read()).toBeUndefined();
  });

  it('needs no worktree, so that it works whatever became of it', async () => {
    await bench.stateFile.write(await takeStep(bench.context(), mergeStep, bench.state()));
    await rm(bench.worktree, { recursive: true });
    const given = await giveUp(bench.context({ git: gitIn(bench.checkout.folder) }));
    expect(given.reviews).toMatchObject([{ outcome: 'ABANDONED' }]);
  });

  it('must be the review of an earlier drive and must not have landed', async () => {
    await expect(giveUp(bench.context())).rejects.toMatchObject({ code: 'NOTHING_TO_GIVE_UP' });
    const { merge } = await takeStep(bench.context(), mergeStep, bench.state());
    await bench.inWorktree('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    const landed = bench.state({ merge, pushed: true });
    await bench.stateFile.write(landed);
    await expect(giveUp(bench.context())).rejects.toMatchObject({ code: 'LANDED_ALREADY' });
    expect(patched(STATUS)).toEqual([]);
    expect(await bench.stateFile.read()).toEqual(landed);
  });

  it('may have been pushed, if the target was set back since: its report names the way here', async () => {
    const { merge } = await takeStep(bench.context(), mergeStep, bench.state());
    const lost = bench.state({ merge, pushed: true, verdict: { successful: true }, buildId: RUN });
    await bench.stateFile.write(lost);
    const refused = {
      code: 'MERGE_NOT_VERIFIED',
      message: 'No.',
      details: { reason: 'commit_not_on_target' },
    };
    bench.platform.answer(STATUS, { status: 422, body: refused });
    await expect(reportStep(bench.context(), lost)).rejects.toMatchObject({
      code: 'LANDING_LOST',
      details: { mergeCommit: merge?.mergeCommit },
      next: expect.stringContaining('--give-up') as unknown,
    });
    bench.platform.answer(STATUS, ({ body }) => ({ body }));
    expect(await outcome()).toMatchObject({ detail: 'It was put back to the tail of the queue.' });
    expect(await bench.stateFile.read()).toBeUndefined();
  });
});
