import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from '@plat/testing';
import { reclaimForwards } from './forward-files';
import { applyCap, ForwardLog, LOG_BYTES_MAX } from './forward-log';
import { type ForwardRecord, logPathOf, recordPath, recordText } from './forward-record';
import { forwardStatus } from './forward-status';
import { readRecord, withChannelLock, writeRecord } from './record-files';

const NAME = { tenant: 'acme', environment: 'dev1' };
let folder: string;
let path: string;
let record: ForwardRecord;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-records-'));
  path = recordPath(folder, NAME, 'mcp');
  record = {
    ...NAME,
    kubernetesContext: 'kind-plat',
    namespace: 'acme-dev1',
    localPort: 17_000,
    logPath: logPathOf(path),
    processId: 4711,
  };
  await mkdir(dirname(path), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

describe('a state file', () => {
  it('is written for its owner alone, and nothing is left next to it. Rule H10', async () => {
    await writeRecord(path, record);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readRecord(path)).toEqual({ record, isLegacy: false });
    expect(await readdir(dirname(path))).toEqual(['dev1.json']);
  });

  it('is complete for each reader while it is replaced. Rule H10', async () => {
    await writeRecord(path, record);
    let isDone = false;
    const read = async () => {
      while (!isDone) expect((await readRecord(path)).record?.tenant).toBe('acme');
    };
    const reading = read();
    for (let localPort = 1; localPort <= 50; localPort += 1) {
      await writeRecord(path, { ...record, localPort });
    }
    isDone = true;
    await reading;
  });

  it('is written while other processes reclaim empty folders', async () => {
    for (let round = 0; round < 100; round += 1) {
      await rm(path, { force: true });
      const reclaims = Array.from({ length: 8 }, () => reclaimForwards(folder, [NAME]));
      await Promise.all([writeRecord(path, record), ...reclaims]);
      expect((await readRecord(path)).record).toEqual(record);
    }
  });
});

describe('no record, which the next write mends,', () => {
  const outside = () => join(folder, 'outside.json');
  const cases: Record<string, () => unknown> = {
    'is an absent file': () => undefined,
    'is a link to a record': async () => {
      await writeFile(outside(), recordText(record));
      await symlink(outside(), path);
    },
    'is a link to nothing': () => symlink(outside(), path),
    'is a folder': () => mkdir(path),
    'is a folder with content': () => mkdir(join(path, 'more'), { recursive: true }),
    'is a file of 10 MB': () => writeFile(path, recordText(record).padEnd(10_000_000)),
    'is a pipe': () => execFileSync('mkfifo', [path]),
  };

  it.each(Object.entries(cases))('%s', async (_title, make) => {
    await make();
    const before = await readFile(outside(), 'utf8').catch(() => 'absent');
    expect(await readRecord(path)).toEqual({ isLegacy: false });
    await writeRecord(path, record);
    expect(await readRecord(path)).toEqual({ record, isLegacy: false });
    expect(await readFile(outside(), 'utf8').catch(() => 'absent')).toBe(before);
  });
});

it('a folder with content in its place is kept next to it', async () => {
  await mkdir(path);
  await writeFile(join(path, 'mine'), 'kept');
  await writeRecord(path, record);
  expect((await readRecord(path)).record).toEqual(record);
  const [, kept = ''] = (await readdir(dirname(path))).sort();
  expect(kept).toMatch(/^dev1\.json\.kept-\d+$/);
  expect(await readFile(join(dirname(path), kept, 'mine'), 'utf8')).toBe('kept');
});

describe.each(['portforward', 'portforward/mcp', 'portforward/mcp/acme'])(
  'a link in place of %s',
  (place) => {
    const outside = () => join(folder, 'outside');
    const everything = async () => {
      const names = (await readdir(outside(), { recursive: true })).sort();
      const texts = names.map((name) => readFile(join(outside(), name), 'utf8').catch(() => 'folder'));
      return [names, await Promise.all(texts)];
    };
    beforeEach(async () => {
      await writeRecord(path, record);
      new ForwardLog(logPathOf(path)).write({ event: 'opened', fields: {} });
      await rename(join(folder, place), outside());
      await symlink(outside(), join(folder, place));
    });

    it('is not followed: nothing outside is read or written', async () => {
      const before = await everything();
      expect(await readRecord(path)).toEqual({ isLegacy: false });
      expect(await forwardStatus(logPathOf(path))).toEqual({});
      new ForwardLog(logPathOf(path)).write({ event: 'opened', fields: {} });
      applyCap(logPathOf(path));
      expect(await everything()).toEqual(before);
    });

    it('is replaced by the next write, and what it leads to stays', async () => {
      const before = await everything();
      await withChannelLock(folder, { name: NAME, channel: 'mcp' }, () => writeRecord(path, record));
      expect((await readRecord(path)).record).toEqual(record);
      expect(await everything()).toEqual(before);
    });

    it('is no way for the cap', async () => {
      await writeFile(join(folder, place, 'large'), '');
      await writeFile(logPathOf(path), 'x'.repeat(LOG_BYTES_MAX + 1));
      const before = await everything();
      applyCap(logPathOf(path));
      expect(await everything()).toEqual(before);
    });
  },
);

it('a file in place of the tenant’s folder is kept next to it', async () => {
  await rm(dirname(path), { recursive: true });
  await writeFile(dirname(path), 'mine');
  await writeRecord(path, record);
  expect((await readRecord(path)).record).toEqual(record);
  const kept = (await readdir(dirname(dirname(path)))).find((name) => /^acme\.kept-\d+$/.test(name));
  expect(await readFile(join(folder, 'portforward', 'mcp', kept ?? ''), 'utf8')).toBe('mine');
});

it('a link or a folder in place of the lock does not stop the next run', async () => {
  const lock = join(folder, 'portforward', 'mcp', '.acme-dev1.lock');
  await symlink(join(folder, 'nowhere'), lock);
  const run = () => withChannelLock(folder, { name: NAME, channel: 'mcp' }, () => Promise.resolve('done'));
  expect(await run()).toBe('done');
  await mkdir(join(lock, 'more'), { recursive: true });
  expect(await run()).toBe('done');
});

it.each(['/etc/passwd', '/dev/full', 'dev1.log', '../dev1.log'])(
  'a state file that names the log %s names none: it is the path with .log. Spec: Client, Port-forward state file',
  async (logPath) => {
    await writeFile(path, recordText({ ...record, logPath }));
    expect((await readRecord(path)).record).toEqual({ ...record, logPath: undefined });
  },
);

it('works on a channel of an environment one after the other. Rule H10', async () => {
  const steps: string[] = [];
  const run = (mark: string) =>
    withChannelLock(folder, { name: NAME, channel: 'mcp' }, async () => {
      steps.push(`${mark} begins`);
      await writeRecord(path, record);
      steps.push(`${mark} ends`);
    });
  await Promise.all([run('a'), run('b'), run('c')]);
  expect(steps).toHaveLength(6);
  for (let at = 0; at < steps.length; at += 2) {
    expect(steps[at + 1]).toBe(steps[at]?.replace('begins', 'ends'));
  }
  expect(await readdir(join(folder, 'portforward', 'mcp'))).toEqual(['acme']);
});
