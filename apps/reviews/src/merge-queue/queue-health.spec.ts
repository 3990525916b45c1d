import type { GateRunVerdict } from '@plat/contracts/core';
import type { Merge } from './queue-estimate';
import { paceOf, type SlotFacts, slotState, timeToNextHealth } from './queue-health';

const merge = (seconds: number): Merge => ({ readyAt: 0, promotedAt: 0, mergedAt: seconds * 1000 });

describe('the pace of a queue', () => {
  it('is the documented default until five merges', () => {
    const merges = [merge(1), merge(1), merge(1), merge(1)];
    expect(paceOf(merges)).toEqual({
      basis: 4,
      measured: false,
      p50Seconds: 600,
      p95Seconds: 1200,
      lateAfterSeconds: 1200,
      stuckAfterSeconds: 3600,
    });
  });

  it('is that of the last thirty merges', () => {
    const merges = [...Array<Merge>(30).fill(merge(100)), ...Array<Merge>(30).fill(merge(9000))];
    expect(paceOf(merges)).toMatchObject({ basis: 30, p50Seconds: 100, p95Seconds: 100 });
  });

  it('is late after the 95th percentile and stuck after three times that, at least a minute and five', () => {
    expect(paceOf(Array<Merge>(5).fill(merge(200)))).toMatchObject({
      lateAfterSeconds: 200,
      stuckAfterSeconds: 600,
    });
    expect(paceOf(Array<Merge>(5).fill(merge(1)))).toMatchObject({
      p95Seconds: 1,
      lateAfterSeconds: 60,
      stuckAfterSeconds: 300,
    });
  });
});

describe('the state of a slot', () => {
  const pace = paceOf(Array<Merge>(5).fill(merge(1200)));
  const at = (seconds: number, facts: SlotFacts) => slotState(seconds * 1000, facts, pace);
  const head = { since: 0, openThreads: 0 };

  it.each<[number, string]>([
    [1200, 'ON_TIME'],
    [1201, 'LATE'],
    [3600, 'LATE'],
    [3601, 'STUCK'],
  ])('after %s seconds of 1200 it is %s', (seconds, health) => {
    expect(at(seconds, { held: { since: 0 } }).health).toBe(health);
    expect(at(seconds, { head }).health).toBe(health);
  });

  it('is judged by the activity: a gate that has just begun is on time, however long the slot is held', () => {
    const held = (verdict: GateRunVerdict) => ({ held: { since: 0, gate: { verdict, since: 86_400_000 } } });
    expect(at(86_400, held('RUNNING'))).toMatchObject({ since: 0, health: 'ON_TIME' });
    expect(at(86_400 + 3601, held('RUNNING')).health).toBe('STUCK');
    expect(at(86_400 + 1201, held('PASSED')).health).toBe('LATE');
    expect(at(7200, { held: { since: 7_000_000, gate: { verdict: 'FAILED', since: 0 } } }).health).toBe(
      'ON_TIME',
    );
  });

  it('is never late without merges to compare with, and stuck after the default time', () => {
    const few = paceOf([]);
    const healthAfter = (seconds: number) => slotState(seconds * 1000, { held: { since: 0 } }, few).health;
    expect([1200, 1201, 3600, 3601].map(healthAfter)).toEqual(['ON_TIME', 'ON_TIME', 'ON_TIME', 'STUCK']);
  });

  it('is blocked from the first moment while the head has open threads', () => {
    const blocked = { head: { since: 0, openThreads: 1 } };
    expect([0, 1e9].map((seconds) => at(seconds, blocked).health)).toEqual(['BLOCKED', 'BLOCKED']);
  });

  it('is idle, and on time for ever, if nothing waits', () => {
    expect(at(1e9, { freedAt: 0 })).toMatchObject({ activity: 'IDLE', health: 'ON_TIME' });
  });

  it('counts a free slot from the later of its release and the entry of the head', () => {
    expect(at(2000, { head, freedAt: 1_900_000 })).toMatchObject({ since: 1_900_000, health: 'ON_TIME' });
    expect(at(2000, { head, freedAt: -5 })).toMatchObject({ since: 0, health: 'LATE' });
  });

  it('distinguishes a head that is blocked from one that no one advances', () => {
    expect(at(0, { head }).activity).toBe('HEAD_NOT_ADVANCED');
    expect(at(0, { head: { since: 0, openThreads: 1 } }).activity).toBe('HEAD_BLOCKED');
  });

  it('a held slot counts from the promotion, whatever waits', () => {
    const held = { since: 500_000, gate: { verdict: 'PASSED', since: 550_000 } } as const;
    expect(at(600, { held, head, freedAt: 1 })).toEqual({
      since: 500_000,
      activeSince: 550_000,
      activity: 'GATE_PASSED_NOT_REPORTED',
      health: 'ON_TIME',
    });
  });
});

describe('the time until the health of a slot changes', () => {
  const pace = paceOf(Array<Merge>(5).fill(merge(1200)));
  const timeLeft = (now: number, facts: SlotFacts) =>
    timeToNextHealth(now, slotState(now, facts, pace), pace);
  const held: SlotFacts = { held: { since: 0 } };

  it.each([0, 1_199_999, 1_200_001, 3_599_999])('after it, and not a moment before: %s ms', (now) => {
    const before = slotState(now, held, pace).health;
    const left = timeLeft(now, held);
    expect(slotState(now + left, held, pace).health).not.toBe(before);
    expect(slotState(now + left - 1, held, pace).health).toBe(before);
  });

  it('a slot that is STUCK, BLOCKED or IDLE does not change with time', () => {
    expect(timeLeft(3_600_001, held)).toBe(Infinity);
    expect(timeLeft(0, {})).toBe(Infinity);
    expect(timeLeft(0, { head: { since: 0, openThreads: 1 } })).toBe(Infinity);
  });

  it('is that until STUCK without merges to compare with', () => {
    const few = paceOf([]);
    expect(timeToNextHealth(0, slotState(0, held, few), few)).toBe(3_600_001);
  });
});
