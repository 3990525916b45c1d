import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { reclaimForwards } from './forward-files';
import { type ForwardRecord, logPathOf, recordPath, recordText } from './forward-record';
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
  it('is written for its owner alone, and nothing is left beside it. Decision H10', async () => {
    await writeRecord(path, record);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readRecord(path)).toEqual({ record, isLegacy: false });
    expect(await readdir(dirname(path))).toEqual(['dev1.json']);
  });

  it('is complete for each reader while it is replaced. Decision H10', async () => {
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

it.each(['/etc/passwd', '/dev/full', 'dev1.log', '../dev1.log'])(
  'a state file that names the log %s names none: it is the path with .log. Spec: Client, Port-forward state file',
  async (logPath) => {
    await writeFile(path, recordText({ ...record, logPath }));
    expect((await readRecord(path)).record).toEqual({ ...record, logPath: undefined });
  },
);

it('works on a channel of an environment one after the other. Decision H10', async () => {
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
