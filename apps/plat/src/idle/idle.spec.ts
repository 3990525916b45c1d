import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE, OPTIONS, POLICY, snapshot, START } from '../black-box/quiet-pod';
import { readEnvironment } from '../environment';
import { Failure } from '../terminal/failure';
import { type IdleRecord, recorded } from './idle-record';
import { type PodSnapshot, processStat, trafficOf, usedTerminals } from './pod-snapshot';
import { readPod } from './read-pod';
import { warnTerminals } from './warn-terminals';
import { type IdleWatch, watchIdle } from './watch-idle';
import { warningSeconds, watchStep } from './watch-step';

describe('what is seen of a pod, Rule H15,', () => {
  it('traffic is what all interfaces sent and received, and each byte of loopback once', () => {
    const netDev = [
      'Inter-|   Receive                                                |  Transmit',
      ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs',
      '    lo:  5000      10    0    0    0     0          0         0     5000      10    0',
      '  eth0: 100        10    0    0    0     0          0         0       23      10    0',
      'net1:7 1 0 0 0 0 0 0 1 1 0',
      '',
    ].join('\n');
    expect(trafficOf(netDev)).toBe(5000 + 123 + 8);
  });

  it('the terminal of a process is read behind a name with any character', () => {
    const fields = (terminal: number) =>
      `7 (a) b) c) S 1 7 7 ${terminal} 7 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4711 0`;
    expect(processStat(fields(34_817))).toEqual({ terminal: 1, startTicks: 4711 });
    // /dev/pts/300, whose number is in two parts.
    expect(processStat(fields(34_816 | 44 | (1 << 20)))).toMatchObject({ terminal: 300 });
    expect(processStat(fields(0))).toMatchObject({ terminal: undefined });
    expect(processStat(fields(1025))).toMatchObject({ terminal: undefined });
  });

  it('a terminal of the prober alone (PLAT_IDLE_PROBE) counts as no activity', () => {
    const terminals = [
      { number: 0, lastInputAt: START - 9 },
      { number: 1, lastInputAt: START },
    ];
    const probe = { terminal: 1, isProbe: true };
    const seen = snapshot({ terminals, attached: [{ terminal: 0, isProbe: false }, probe] });
    const lastInput = (of: PodSnapshot) => recorded(undefined, of, OPTIONS).lastInputAt;
    expect(lastInput(seen)).toBe(START - 9);
    const beside = { ...seen, attached: [...seen.attached, { terminal: 1, isProbe: false }] };
    expect(lastInput(beside)).toBe(START);
    expect(usedTerminals(snapshot({ terminals }))).toEqual(terminals);
  });

  it('is read from the folders of the system', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-proc-'));
    const files = {
      'proc/stat': 'cpu 1 2\nbtime 1700000000\nprocesses 9\n',
      'proc/1/stat': '1 (tini) S 0 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 250 0',
      'proc/1/environ': 'A=1\0',
      'proc/9/stat': '9 (node) S 1 9 9 34819 9 4194560 0 0 0 0 0 0 0 0 20 0 1 0 300 0',
      'proc/9/environ': 'A=1\0PLAT_IDLE_PROBE=true\0',
      'proc/net/dev': 'a\nb\n lo: 9 0 0 0 0 0 0 0 9 0\n',
      'pts/3': '',
      'pts/ptmx': '',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await utimes(join(folder, 'pts/3'), 1_700_000_100, 1_700_000_200);
    const variables = { HOME: folder, PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
    const folders = { processes: join(folder, 'proc'), terminals: join(folder, 'pts') };
    expect(await readPod(readEnvironment(variables, 'linux'), folders)).toEqual({
      now: expect.any(Number) as number,
      monotonic: expect.any(Number) as number,
      startedAt: 1_700_000_002_500,
      terminals: [{ number: 3, lastInputAt: 1_700_000_100_000 }],
      attached: [{ terminal: 3, isProbe: true }],
      trafficBytes: 9,
      leaseHolders: [],
      runningJobs: 0,
    });
    await warnTerminals(
      [
        { number: 3, lastInputAt: 0 },
        { number: 4, lastInputAt: 0 },
      ],
      'line',
      folders.terminals,
    );
    expect(await readFile(join(folder, 'pts/3'), 'utf8')).toBe('\r\nline\r\n');
    await rm(folder, { recursive: true });
  });
});

describe('the warning before a stop', () => {
  it.each([
    [60, 300],
    [10, 300],
    [5, 150],
    [1, 30],
  ])('with a timeout of %s minutes it comes %s seconds before', (minutes, seconds) => {
    expect(warningSeconds(minutes * MINUTE)).toBe(seconds);
  });

  it('comes once for a stop, and again after the environment was used', () => {
    const at = (secondsUntilStop: number | undefined, warned: boolean) =>
      watchStep(
        { stopEligible: false, secondsUntilStop, markers: [] },
        { timeoutMilliseconds: 10 * MINUTE, warned },
      );
    expect(at(301, false)).toEqual({ do: 'nothing', warned: false });
    expect(at(300, false)).toEqual({ do: 'warn', secondsUntilStop: 300, warned: true });
    expect(at(290, true)).toEqual({ do: 'nothing', warned: true });
    expect(at(undefined, true)).toEqual({ do: 'nothing', warned: false });
    expect(at(600, true)).toEqual({ do: 'nothing', warned: false });
  });
});

describe('the watch of a pod, Rule H15,', () => {
  /** Looks each minute, with what `change` sees at the minute, until the given one. */
  async function watchMinutes(
    minutes: number,
    change: (minute: number) => Partial<PodSnapshot> = () => ({}),
    options: Partial<IdleWatch> = {},
  ) {
    const stop = new AbortController();
    const log: Array<[number, string]> = [];
    let [minute, record]: [number, IdleRecord | undefined] = [0, undefined];
    const say = (line: string) => void log.push([minute, line]);
    await watchIdle({
      policy: POLICY,
      timeout: '10m',
      read: async () => snapshot({ now: START + minute * MINUTE, ...change(minute) }),
      record: { read: async () => record, write: async (next) => void (record = next) },
      warn: async (terminals, line) => say(`warns ${terminals.length}: ${line}`),
      stop: async () => (say('stops'), { outcome: 'stopped', warnings: [] }),
      pause: async () => {
        minute += 1;
        if (minute > minutes) stop.abort();
      },
      interrupted: stop.signal,
      note: say,
      ...options,
    });
    return log;
  }

  it('warns the shells five minutes before, then stops once, with its reason', async () => {
    const terminals = [{ number: 0, lastInputAt: START }];
    expect(await watchMinutes(14, () => ({ terminals }))).toEqual([
      [
        5,
        'warns 1: plat: this environment is idle and stops at 12:10 UTC. Any input at a terminal keeps it running.',
      ],
      [10, 'stops'],
      [
        10,
        'The environment stops. Idle for at least 10m (terminal: the start of the pod, 600 s ago; no input at a terminal ' +
          'since; lease: the start of the pod, 600 s ago; no lease since; job: the start of the pod, 600 s ago; no job ' +
          'since; traffic: the start of the pod, 600 s ago; no traffic of 65536 bytes or more in a minute since).',
      ],
    ]);
  });

  it.each<[string, (minute: number) => Partial<PodSnapshot>, number]>([
    [
      'input',
      (minute) => ({ terminals: minute === 4 ? [{ number: 0, lastInputAt: START + 4 * MINUTE }] : [] }),
      14,
    ],
    ['a lease', (minute) => ({ leaseHolders: minute <= 7 ? ['ci'] : [] }), 17],
    ['a job', (minute) => ({ runningJobs: minute <= 3 ? 1 : 0 }), 13],
    ['traffic', (minute) => ({ trafficBytes: minute >= 2 ? 70_000 : 0 }), 13],
  ])('counts %s', async (_, change, stopsAt) => {
    const log = await watchMinutes(20, change);
    expect(log.filter(([, line]) => line === 'stops')).toEqual([[stopsAt, 'stops']]);
  });

  it('an environment of no managed cloud never stops and warns no one', async () => {
    expect(await watchMinutes(30, undefined, { policy: { ...POLICY, isManaged: false } })).toEqual([]);
  });

  it('a stop that fails is noted once and tried again', async () => {
    let attempts = 0;
    const stop = async () => {
      attempts += 1;
      if (attempts <= 2) throw new Failure('CLUSTER_UNREACHABLE', 'No answer.', {});
      return { outcome: 'stopped' as const, warnings: ['The stop is not noted: no.'] };
    };
    const log = await watchMinutes(15, undefined, { stop });
    expect(log.map(([minute, line]) => [minute, line.slice(0, 20)])).toEqual([
      [5, 'warns 0: plat: this e'.slice(0, 20)],
      [10, 'No answer. It is tri'],
      [12, 'The environment stop'],
      [12, 'The stop is not note'],
    ]);
    expect(attempts).toBe(3);
  });

  it('a stop that someone takes back comes again, after the whole timeout without use', async () => {
    const log = await watchMinutes(25);
    expect(log.filter(([, line]) => line === 'stops')).toEqual([
      [10, 'stops'],
      [20, 'stops'],
    ]);
  });

  it('a pod whose Deployment has no replica any more does not claim a stop', async () => {
    const stop = async () => ({ outcome: 'was stopped' as const, warnings: [] });
    expect((await watchMinutes(11, undefined, { stop })).at(-1)).toEqual([
      10,
      'The environment is stopped already.',
    ]);
  });

  it('a pod whose disk is full stops too', async () => {
    const full = () => Promise.reject(Object.assign(new Error('no space left.'), { code: 'ENOSPC' }));
    const log = await watchMinutes(12, undefined, { record: { read: async () => undefined, write: full } });
    expect(
      log.filter(([, line]) => !line.startsWith('warns')).map(([at, line]) => [at, line.slice(0, 22)]),
    ).toEqual([
      [0, 'no space left. It is t'],
      [10, 'stops'],
      [10, 'The environment stops.'],
    ]);
  });
});
