import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeIdle } from '@plat/environments';
import { MINUTE, OPTIONS, POLICY, SECOND, snapshot, START } from '../black-box/quiet-pod';
import { readEnvironment } from '../environment';
import { jobsOf } from '../jobs/job-store';
import { environmentLeases } from '../leases/claims';
import { factsOf, type IdleRecord, readIdleRecord, recorded, writeIdleRecord } from './idle-record';
import type { PodSnapshot } from './pod-snapshot';
import { readPod } from './read-pod';

describe('the record of a pod', () => {
  it('keeps the last input of a terminal that was closed, and when a lease and a job were seen last', () => {
    const terminals = [{ number: 0, lastInputAt: START - 5 }];
    const busy = snapshot({ terminals, leaseHolders: ['ci'], runningJobs: 1 });
    const first = recorded(undefined, busy, OPTIONS);
    const later = snapshot({ now: START + MINUTE });
    const second = recorded(first, later, OPTIONS);
    expect(factsOf(second, later)).toMatchObject({
      lastInputAt: START - 5,
      leases: { holders: [], lastEndedAt: START },
      jobs: { running: 0, lastEndedAt: START },
    });
  });

  it('counts traffic by minutes from the first look on, and forgets old minutes', () => {
    const looks: Array<[number, number]> = [
      [0, 1000],
      [10, 1500],
      [50, 1600],
      [70, 1600],
      [130, 2600],
      [140, 10],
    ];
    let record: IdleRecord | undefined;
    for (const [seconds, trafficBytes] of looks) {
      record = recorded(record, snapshot({ now: START + seconds * SECOND, trafficBytes }), OPTIONS);
    }
    expect(record?.minutes).toEqual([
      { startedAt: START, bytes: 600 },
      { startedAt: START + 2 * MINUTE, bytes: 1000 },
    ]);
    const late = recorded(record, snapshot({ now: START + 8 * MINUTE, trafficBytes: 10 }), OPTIONS);
    expect(late.minutes).toEqual([{ startedAt: START + 2 * MINUTE, bytes: 1000 }]);
  });

  it('of a pod that has ended does not count', () => {
    const other = {
      ...recorded(undefined, snapshot(), OPTIONS),
      space: 'there',
      lastInputAt: 1,
      countsFrom: START + MINUTE,
    };
    expect(recorded(other, snapshot({ trafficBytes: 99 }), OPTIONS)).toMatchObject({
      lastInputAt: undefined,
      minutes: [],
      countsFrom: START,
    });
  });

  /** Looks at these times of the monotonic clock, in minutes, while the other clock is set by so much. */
  function looked(looks: ReadonlyArray<{ at: number; setBy?: number; inputAt?: number }>) {
    let [record, seen]: [IdleRecord | undefined, PodSnapshot] = [undefined, snapshot()];
    for (const { at, setBy = 0, inputAt } of looks) {
      const terminals = inputAt === undefined ? [] : [{ number: 0, lastInputAt: START + inputAt * MINUTE }];
      const change = { now: START + (at + setBy) * MINUTE, monotonic: at * MINUTE, terminals };
      // Linux derives the time of the start from the clock.
      seen = { ...snapshot(change), startedAt: START + setBy * MINUTE };
      record = recorded(record, seen, OPTIONS);
    }
    if (record === undefined) throw new Error('no look');
    return judgeIdle(POLICY, factsOf(record, seen));
  }

  it.each([
    ['forward', 600],
    ['back', -600],
  ])('a clock that is set %s by hours stops no one who works, and keeps no idle pod running', (_, setBy) => {
    const input = { at: 5, inputAt: 5 };
    expect(looked([{ at: 0 }, input, { at: 6, setBy, inputAt: 5 }]).secondsUntilStop).toBe(9 * 60);
    // The input after the clock was set has a time by the new clock.
    expect(
      looked([{ at: 0 }, input, { at: 6, setBy, inputAt: 5 }, { at: 7, setBy, inputAt: 7 + setBy }])
        .secondsUntilStop,
    ).toBe(10 * 60);
    expect(looked([{ at: 0 }, input, { at: 15, setBy, inputAt: 5 }]).stopEligible).toBe(true);
  });

  it('the time in which the machine was suspended is no time without use', () => {
    const suspended = snapshot({ now: START + 600 * MINUTE, monotonic: MINUTE });
    const before = recorded(undefined, snapshot({ monotonic: 0 }), OPTIONS);
    const facts = factsOf(recorded(before, suspended, OPTIONS), suspended);
    expect(judgeIdle(POLICY, facts)).toMatchObject({ stopEligible: false, secondsUntilStop: 9 * 60 });
  });

  it('has a lease and a job that began and ended between two looks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-idle-'));
    const environment = readEnvironment(
      { HOME: folder, PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' },
      'linux',
    );
    const first = recorded(undefined, await readPod(environment), OPTIONS);
    expect([first.leaseSeenAt, first.jobSeenAt]).toEqual([undefined, undefined]);
    const leases = environmentLeases(environment);
    const { leaseId } = await leases.take({ holder: 'ci' });
    await leases.release(leaseId);
    const job = await jobsOf(environment).start({ command: ['true'], folder });
    while ((await jobsOf(environment).get(job.jobId)).status === 'RUNNING') await new Promise(setImmediate);
    const seen = await readPod(environment);
    expect(seen).toMatchObject({ leaseHolders: [], runningJobs: 0 });
    const second = recorded(first, seen, OPTIONS);
    for (const at of [second.leaseSeenAt, second.jobSeenAt]) {
      expect(at).toBeGreaterThanOrEqual(first.recordedAt);
      expect(at).toBeLessThanOrEqual(second.recordedAt);
    }
    // They count once.
    expect(
      recorded(second, { ...seen, now: seen.now + 1, monotonic: seen.monotonic + 1 }, OPTIONS).leaseSeenAt,
    ).toBe(second.leaseSeenAt);
    await rm(folder, { recursive: true });
  });

  it('that is damaged begins again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-idle-'));
    expect(await readIdleRecord(folder)).toBeUndefined();
    for (const text of ['{"space":', 'null', '[]', '{"space":"here"}']) {
      await writeFile(join(folder, 'idle.json'), text);
      expect(await readIdleRecord(folder)).toBeUndefined();
    }
    const record = recorded(undefined, snapshot(), OPTIONS);
    await writeIdleRecord(folder, record);
    expect(await readIdleRecord(folder)).toEqual(JSON.parse(JSON.stringify(record)));
    await rm(folder, { recursive: true });
  });
});
