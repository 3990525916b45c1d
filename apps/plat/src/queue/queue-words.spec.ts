import { QUEUE_STATUS } from '../black-box/queue-answers';
import { queueCard } from './queue-card';
import { durationText, estimateText, paceText, slotText } from './queue-words';

const HOSTILE = '<img onerror=alert(1)>\u001b[31m\u202e\nforged';
const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const exact = (at: string): string => at;
const { pace } = QUEUE_STATUS;

it.each([
  [0, '0 s'],
  [0.42, '0.4 s'],
  [9.96, '10 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3600, '1 h'],
  [3601, '1 h'],
  [3661, '1 h 1 min'],
  [90_061, '1 d 1 h'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

describe('the slot in words', () => {
  const review = { reviewId: ID, name: 'Fix clock', sourceBranch: 'topic', authorUserId: ID };

  it('a held slot names its review, since when, what happens, and the pace only if it is late', () => {
    const held = {
      review,
      since: 'T1',
      activity: 'GATE_PASSED_NOT_REPORTED',
      gateRunSince: 'T2',
      health: 'ON_TIME',
    } as const;
    const onTime = `"Fix clock" (${ID}), at MERGE since T1: the gate passed, and MERGED is not reported (T2)`;
    expect(slotText(held, pace, exact)).toBe(onTime);
    expect(slotText({ ...held, health: 'STUCK' }, pace, exact)).toBe(
      `${onTime}. STUCK: usual is 10 min, and 20 min is long, until there are five merges`,
    );
  });

  it('a free slot says whether somebody should promote the head', () => {
    expect(slotText(QUEUE_STATUS.slot, pace, exact)).toBe('free: nothing waits');
    const waiting = { activity: 'HEAD_NOT_ADVANCED', since: 'T1', health: 'LATE' } as const;
    expect(slotText(waiting, pace, exact)).toMatch(/^free since T1: the head is not promoted\. LATE: usual/);
  });

  it('a word of a newer platform is shown as it is', () => {
    const slot = { activity: 'PONDERING', health: 'ON_TIME' } as never;
    expect(slotText(slot, pace, exact)).toBe('free: PONDERING');
  });

  it('a hostile name is text on its line', () => {
    const slot = {
      review: { ...review, name: HOSTILE },
      since: 'T1',
      activity: 'NO_GATE_RUN',
      health: 'ON_TIME',
    } as const;
    const card = queueCard({ ...QUEUE_STATUS, slot }, exact);
    expect(card).not.toMatch(/[\u001b\u202e]/);
    expect(card.split('\n')[1]).toContain('"<img onerror=alert(1)> [31m  forged"');
  });
});

it('an estimate says its range, its basis and the error of last week, or why there is none', () => {
  const estimate = { earliest: 'T1', likely: 'T2', latest: 'T3', basis: 12 };
  expect(estimateText(estimate, exact)).toBe('merged T2, between T1 and T3 (by 12 merges)');
  expect(estimateText({ ...estimate, errorSeconds: 240 }, exact)).toMatch(
    /; median error of last week's: 4 min\)$/,
  );
  expect(estimateText({ unavailable: 'OVERDUE' }, exact)).toBe(
    'unknown: the present turn takes longer than any of the last ones',
  );
  expect(estimateText({ unavailable: 'LUNCH' as never }, exact)).toBe('unknown: LUNCH');
});

it('a pace is that of the merges, once it is measured', () => {
  const measured = { ...pace, measured: true, basis: 7, p50Seconds: 60, p95Seconds: 90 };
  expect(paceText(measured)).toBe(
    'half of the last 7 merges took 1 min or less, 95 of 100 took 1 min 30 s or less',
  );
});
