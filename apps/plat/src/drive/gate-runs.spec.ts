import { ApiClient } from '@plat/api-client';
import { type Answer, PlatformDouble } from '../black-box/platform-double';
import { type DriveLoop, takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import { decideGateRun, reportVerdict, startGateRun } from './gate-runs';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';
const [SOURCE, MERGE, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const RUN = `/v1/gate-runs/${RUN_ID}`;

const refused = (status: number, code: string, details = {}): Answer => ({
  status,
  body: { code, message: 'No.', details },
});
const FORBIDDEN = refused(403, 'FORBIDDEN');

describe('the gate run of a drive', () => {
  let platform: PlatformDouble;
  const notes: string[] = [];
  const written: DriveState[] = [];
  beforeEach(async () => {
    platform = await PlatformDouble.start();
    notes.length = written.length = 0;
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
  });
  afterEach(() => platform.close());

  const context = (facts: Partial<DriveLoop> = {}) =>
    ({
      platform: { api: new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } }) },
      targetBranch: 'main',
      holder: 'me@here:/app (1)',
      takeOver: false,
      note: (line: string) => notes.push(line),
      stateFile: { write: (one: DriveState) => Promise.resolve(written.push(one)) },
      ...facts,
    }) as unknown as DriveLoop;
  const state = (facts: Partial<DriveState> = {}): DriveState => ({
    apiUrl: platform.url,
    review: { reviewId: ID, name: 'Add limits', sourceBranch: 'feature/1' },
    takenAt: '2026-01-02T03:04:05Z',
    merge: { targetCommit: OTHER, sourceCommit: SOURCE, mergeCommit: MERGE },
    ...facts,
  });
  const passed = () => state({ gateRunId: RUN_ID, verdict: { successful: true } });

  describe('counts as agreed only if the platform denies it to the caller:', () => {
    it.each<[string, Answer]>([
      ['an outage', refused(503, 'SERVICE_UNAVAILABLE')],
      ['a gateway', { status: 502, text: '<html>' }],
      ['a page of someone else', { status: 200, text: '<html>' }],
      ['a fault of the service', refused(500, 'INTERNAL_ERROR')],
      ['an ended session', refused(401, 'UNAUTHENTICATED')],
    ])('%s stops the drive before anything is pushed', async (_what, answer) => {
      platform.answer(`PATCH ${RUN}`, answer);
      await expect(takeStep(context(), reportVerdict, passed())).rejects.toThrow();
      platform.answer('POST /v1/gate-runs', answer);
      const unmerged = state({
        merge: { targetCommit: OTHER, sourceCommit: SOURCE },
        verdict: { successful: false },
      });
      await expect(takeStep(context(), reportVerdict, unmerged)).rejects.toThrow();
      await expect(startGateRun(context(), state())).rejects.toThrow();
      expect(notes).toEqual([]);
    });

    it('a takeover that it may not read stops it as well', async () => {
      platform.answer(`PATCH ${RUN}`, refused(409, 'GATE_RUN_ALREADY_DECIDED'));
      platform.answer(`GET ${RUN}`, refused(503, 'SERVICE_UNAVAILABLE'));
      await expect(takeStep(context(), reportVerdict, passed())).rejects.toThrow();
      platform.answer(`GET ${RUN}`, { body: { verdict: 'INCONCLUSIVE' } });
      await expect(takeStep(context(), reportVerdict, passed())).rejects.toMatchObject({
        code: 'TAKEN_OVER',
        next: expect.stringContaining('plat drive --target-branch main --take-over') as unknown,
      });
      // Otherwise each later drive, with --take-over as well, would end at the old verdict.
      expect(written).toEqual([{ ...passed(), gateRunId: undefined, verdict: undefined }]);
    });

    it('a role without gate runs goes on, with a note', async () => {
      platform.answer(`PATCH ${RUN}`, FORBIDDEN);
      platform.answer('POST /v1/gate-runs', FORBIDDEN);
      await takeStep(context(), reportVerdict, passed());
      expect(await startGateRun(context(), state())).toBeUndefined();
      expect(notes).toEqual(['The gate run is not visible: No.', 'The gate run is not visible: No.']);
    });

    it('a deleted run does not count as taken over', async () => {
      platform.answer(`PATCH ${RUN}`, refused(404, 'NOT_FOUND'));
      expect(await decideGateRun(context(), RUN_ID, { verdict: 'INCONCLUSIVE' })).toBeUndefined();
    });
  });

  describe('if another held run is in the way', () => {
    const since = '2026-01-02T03:04:05.000Z';
    function heldBy(holder: string, mergeCommit: string): void {
      let isHeld = true;
      platform.answer('POST /v1/gate-runs', () => {
        if (!isHeld) return { body: { gateRunId: ID } };
        return refused(409, 'GATE_RUN_HELD', { gateRunId: RUN_ID, holder, mergeCommit, since });
      });
      platform.answer(`PATCH ${RUN}`, ({ body }) => {
        isHeld = false;
        return { body: { verdict: body?.verdict } };
      });
    }

    it.each([
      ['of the same merge', MERGE],
      ['of another merge', OTHER],
    ])('a run of another holder is never adopted, %s', async (_what, mergeCommit) => {
      heldBy('me@here:/app (2)', mergeCommit);
      await expect(startGateRun(context(), state())).rejects.toMatchObject({
        code: 'GATED_ELSEWHERE',
        message: `"Add limits" is gated by me@here:/app (2), since ${since}.`,
        next: expect.stringContaining('--take-over') as unknown,
      });
      expect(platform.to(`PATCH ${RUN}`)).toEqual([]);
    });

    it('the own run of the same merge is continued', async () => {
      heldBy('me@here:/app (1)', MERGE);
      expect(await startGateRun(context(), state())).toBe(RUN_ID);
    });

    it.each([
      ['the own run of another merge', 'me@here:/app (1)', OTHER, false],
      ['with --take-over that of another holder', 'me@here:/app (2)', MERGE, true],
    ])('is ended and another started: %s', async (_what, holder, mergeCommit, takeOver) => {
      heldBy(holder, mergeCommit);
      expect(await startGateRun(context({ takeOver }), state())).toBe(ID);
      expect(platform.to(`PATCH ${RUN}`).map(({ body }) => body)).toEqual([{ verdict: 'INCONCLUSIVE' }]);
    });

    it('a caller who may not end it takes nothing over', async () => {
      heldBy('me@here:/app (2)', OTHER);
      platform.answer(`PATCH ${RUN}`, FORBIDDEN);
      const taking = startGateRun(context({ takeOver: true }), state());
      await expect(taking).rejects.toMatchObject({ code: 'GATE_RUN_HELD' });
      expect(platform.to('POST /v1/gate-runs')).toHaveLength(1);
    });
  });
});
