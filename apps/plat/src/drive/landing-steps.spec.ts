import { ApiClient } from '@plat/api-client';
import { PlatformDouble } from '../black-box/platform-double';
import { type DriveLoop, takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import { recordStep } from './landing-steps';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const [FOUND, CREATED] = ['2', '3'].map((digit) => `${ID.slice(0, -1)}${digit}`) as [string, string];
const [SOURCE, MERGE] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

describe('the GATE build of a drive that was killed while it was recorded', () => {
  let platform: PlatformDouble;
  beforeEach(async () => (platform = await PlatformDouble.start()));
  afterEach(() => platform.close());

  /** @param build the build that was recorded since */
  async function recordBuild(build: Record<string, unknown>, facts: Partial<DriveState> = {}) {
    platform.answer(`GET /v1/reviews/${ID}/builds`, { body: [{ ...build, buildId: FOUND }] });
    platform.answer(`POST /v1/reviews/${ID}/builds`, { body: { buildId: CREATED } });
    const context = {
      platform: { api: new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } }) },
      stateFile: { write: () => Promise.resolve() },
    } as unknown as DriveLoop;
    const state: DriveState = {
      apiUrl: platform.url,
      review: { reviewId: ID, name: 'Add limits', sourceBranch: 'feature/1' },
      merge: { targetCommit: SOURCE, sourceCommit: SOURCE, mergeCommit: MERGE },
      verdict: { successful: true },
      buildsBefore: [],
      ...facts,
    };
    return (await takeStep(context, recordStep, state)).buildId;
  }
  const GREEN = { kind: 'GATE', successful: true, commitId: MERGE };

  it('is found again', async () => {
    expect(await recordBuild(GREEN)).toBe(FOUND);
    expect(platform.to(`POST /v1/reviews/${ID}/builds`)).toEqual([]);
  });

  it.each([
    ['of another kind', { ...GREEN, kind: 'RECORDED', version: '1.0.0' }, {}],
    ['with another outcome', { ...GREEN, successful: false, failureDetail: 'no' }, {}],
    ['of another commit', { ...GREEN, commitId: SOURCE }, {}],
    ['older than the drive', GREEN, { buildsBefore: [FOUND] }],
  ])('is never a build that another party recorded: %s', async (_what, build, facts) => {
    expect(await recordBuild(build, facts)).toBe(CREATED);
    expect(platform.to(`POST /v1/reviews/${ID}/builds`).map(({ body }) => body)).toEqual([
      { kind: 'GATE', successful: true, commitId: MERGE },
    ]);
  });
});
