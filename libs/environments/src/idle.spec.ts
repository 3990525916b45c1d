import { type IdleFacts, type IdlePolicy, idlePolicy, judgeIdle } from './idle';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 12, 0, 30);
const POLICY: IdlePolicy = {
  timeoutMilliseconds: 5 * MINUTE,
  timezone: 'UTC',
  trafficBytes: 65_536,
  isManaged: true,
};
/** Nothing happened since a start long ago. */
const QUIET: IdleFacts = {
  now: NOW,
  startedAt: NOW - 60 * MINUTE,
  leases: { holders: [] },
  jobs: { running: 0 },
  traffic: [],
};
const hours = (workingHours: IdlePolicy['workingHours'], timezone = 'UTC') => ({
  ...POLICY,
  workingHours,
  timezone,
});

describe('an environment is idle, Rule H15,', () => {
  it('if for the whole timeout there was no input, no lease, no job and little traffic', () => {
    expect(judgeIdle(POLICY, QUIET)).toMatchObject({ stopEligible: true, secondsUntilStop: 0 });
    const before = NOW - 5 * MINUTE;
    const facts = {
      ...QUIET,
      lastInputAt: before,
      leases: { holders: [], lastEndedAt: before },
      jobs: { running: 0, lastEndedAt: before },
      traffic: [
        { startedAt: before - MINUTE, bytes: 65_536 },
        { startedAt: NOW - MINUTE, bytes: 65_535 },
      ],
    };
    expect(judgeIdle(POLICY, facts)).toMatchObject({ stopEligible: true, secondsUntilStop: 0 });
  });

  it.each<[string, Partial<IdleFacts>, string, number | undefined]>([
    ['input', { lastInputAt: NOW - 4 * MINUTE }, 'input at a terminal, 240 s ago', 60],
    ['a held lease', { leases: { holders: ['ci'] } }, 'a lease is held by ci', undefined],
    [
      'a lease that just ended',
      { leases: { holders: [], lastEndedAt: NOW - 1500 } },
      'a lease, 1 s ago',
      299,
    ],
    ['a running job', { jobs: { running: 2 } }, 'jobs are running: 2', undefined],
    ['a job that just ended', { jobs: { running: 0, lastEndedAt: NOW } }, 'a job, 0 s ago', 300],
    [
      'traffic',
      { traffic: [{ startedAt: NOW - 3 * MINUTE, bytes: 65_536 }] },
      'traffic of 65536 bytes or more in a minute, 120 s ago',
      180,
    ],
    [
      'its own start',
      { startedAt: NOW - MINUTE, lastInputAt: NOW - 60 * MINUTE },
      'the start of the pod, 60 s ago; no input at a terminal since',
      240,
    ],
    // A clock that was set back.
    ['input in the future', { lastInputAt: NOW + MINUTE }, 'input at a terminal, 0 s ago', 300],
  ])('but not within the timeout of %s', (_what, facts, stopBlockedReason, seconds) => {
    const verdict = judgeIdle(POLICY, { ...QUIET, ...facts });
    expect(verdict).toMatchObject({ stopEligible: false, stopBlockedReason });
    expect(verdict.secondsUntilStop).toBe(seconds);
  });

  it('as its markers say, each with a reason', () => {
    const { markers } = judgeIdle(POLICY, {
      ...QUIET,
      lastInputAt: NOW - MINUTE,
      leases: { holders: ['ci', 'me'] },
    });
    expect(markers).toEqual([
      { name: 'terminal', idle: false, reason: 'input at a terminal, 60 s ago', secondsRemaining: 240 },
      { name: 'lease', idle: false, reason: 'a lease is held by ci, me' },
      {
        name: 'job',
        idle: true,
        reason: 'the start of the pod, 3600 s ago; no job since',
        secondsRemaining: 0,
      },
      {
        name: 'traffic',
        idle: true,
        reason: 'the start of the pod, 3600 s ago; no traffic of 65536 bytes or more in a minute since',
        secondsRemaining: 0,
      },
    ]);
  });

  it('but stops itself only in a managed cloud', () => {
    expect(judgeIdle({ ...POLICY, isManaged: false }, QUIET)).toEqual({
      stopEligible: false,
      stopBlockedReason: 'only an environment of a managed cloud stops itself',
      markers: expect.any(Array) as unknown,
    });
  });

  it.each<[string, IdlePolicy, number]>([
    ['before they begin', hours({ start: 13 * 60, end: 14 * 60 }), 3570],
    ['after they ended', hours({ start: 8 * 60, end: 12 * 60 }), 20 * 3600 - 30],
    ['between the ends of those over midnight', hours({ start: 22 * 60, end: 6 * 60 }), 10 * 3600 - 30],
    ['in another zone', hours({ start: 8 * 60, end: 13 * 60 }, 'Europe/Berlin'), 19 * 3600 - 30],
  ])('and not outside of the working hours: %s', (_when, policy, secondsUntilStop) => {
    expect(judgeIdle(policy, QUIET)).toMatchObject({
      stopEligible: false,
      stopBlockedReason: 'the time lies outside of the working hours',
      secondsUntilStop,
    });
  });

  it.each<[string, IdlePolicy]>([
    ['their first minute counts', hours({ start: 12 * 60, end: 13 * 60 })],
    ['those over midnight', hours({ start: 10 * 60, end: 9 * 60 })],
    ['in another zone', hours({ start: 13 * 60, end: 14 * 60 }, 'Europe/Berlin')],
  ])('within the working hours: %s', (_when, policy) => {
    expect(judgeIdle(policy, QUIET)).toMatchObject({ stopEligible: true });
  });

  it('finds the next working hours when the clocks are put forward', () => {
    // On 2026-03-29 Berlin has no 02:30, so the next hours from 02:15 to 02:45 are those of the 30th.
    const now = Date.UTC(2026, 2, 29, 0, 59);
    const facts = { ...QUIET, now, startedAt: now - 60 * MINUTE };
    const { secondsUntilStop } = judgeIdle(hours({ start: 135, end: 165 }, 'Europe/Berlin'), facts);
    expect(new Date(now + (secondsUntilStop ?? 0) * 1000).toISOString()).toBe('2026-03-30T00:15:00.000Z');
  });
});

describe('the policy of a configuration', () => {
  it("has the contract's defaults", () => {
    expect(idlePolicy({}, 'Europe/Berlin')).toEqual({
      timeoutMilliseconds: 300_000,
      timezone: 'Europe/Berlin',
      trafficBytes: 65_536,
      isManaged: false,
    });
  });

  it('has the values of its fields', () => {
    const idle = { timeout: '1h30m', workingHours: '22:00-06:00', timezone: 'UTC', trafficBytes: 0 };
    expect(idlePolicy({ idle, cloud: { alias: 'prod' } }, 'Europe/Berlin')).toEqual({
      timeoutMilliseconds: 5_400_000,
      workingHours: { start: 1320, end: 360 },
      timezone: 'UTC',
      trafficBytes: 0,
      isManaged: true,
    });
  });
});
