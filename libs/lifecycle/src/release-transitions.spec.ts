import { RELEASE_STATUSES } from '@plat/contracts/core';
import { RELEASE_TRIGGERS, releaseEffect } from './release-transitions';

describe('a release', () => {
  it('that failed is queued again by a request, with the attempt incremented', () => {
    expect(releaseEffect('failed', 'REQUEST')).toEqual({ to: 'queued', countsAttempt: true });
  });

  it.each(['queued', 'running', 'released'] as const)('at %s is unchanged by a request', (status) => {
    expect(releaseEffect(status, 'REQUEST')).toEqual({});
  });

  it('is claimed when queued, and in no other status', () => {
    expect(RELEASE_STATUSES.map((status) => releaseEffect(status, 'CLAIM').to)).toEqual([
      'running',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is completed when running: "version is set only on released", failureReason on failed', () => {
    expect(releaseEffect('running', 'SUCCEED')).toEqual({ to: 'released', sets: 'version' });
    expect(releaseEffect('running', 'FAIL')).toEqual({ to: 'failed', sets: 'failureReason' });
    for (const status of ['queued', 'released', 'failed'] as const) {
      expect([releaseEffect(status, 'SUCCEED'), releaseEffect(status, 'FAIL')]).toEqual([{}, {}]);
    }
  });

  it('that is released never changes', () => {
    expect(RELEASE_TRIGGERS.map((trigger) => releaseEffect('released', trigger))).toEqual([{}, {}, {}, {}]);
  });
});
