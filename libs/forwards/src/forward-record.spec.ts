import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSameForward, logPathOf, parseRecord, recordPath } from './forward-record';
import { readRecord, writeRecord } from './record-files';

const NAME = { tenant: 'acme', environment: 'dev' };
const RECORD = {
  ...NAME,
  kubernetesContext: 'kind',
  namespace: 'acme-dev',
  localPort: 17_022,
  logPath: '/x/dev.log',
  processId: 4711,
};
const parsed = (change: Record<string, unknown>) => parseRecord(JSON.stringify({ ...RECORD, ...change }));

describe('Port-forward state file', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-record-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is <UserConfigDir>/plat/portforward/<channel>/<tenant>/<env>.json, its log beside it', () => {
    const path = recordPath('/home/me/.config/plat', NAME, 'sshd');
    expect(path).toBe('/home/me/.config/plat/portforward/sshd/acme/dev.json');
    expect(logPathOf(path)).toBe('/home/me/.config/plat/portforward/sshd/acme/dev.log');
  });

  it('has exactly the seven fields, in two-space JSON, readable by its owner alone. Decision H10', async () => {
    const path = join(folder, 'a', 'dev.json');
    await writeRecord(path, { ...RECORD, more: 'x' } as never);
    expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(RECORD, null, 2)}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readRecord(path)).toEqual({ record: RECORD, isLegacy: false });
  });

  it('rule 1: legacy fields of the sshd file are seen, so that its forward counts as stale', () => {
    expect(parsed({ forwardPort: 1 }).isLegacy).toBe(true);
    expect(parsed({ proxyProcessId: 1 }).isLegacy).toBe(true);
    expect(parsed({}).isLegacy).toBe(false);
  });

  it.each([1, 0, -5, 2 ** 40, '4711', 1.5, null])('with the process id %p names no process', (processId) => {
    expect(parsed({ processId }).record).toEqual({ ...RECORD, processId: undefined });
  });

  it.each([
    { localPort: 0 },
    { localPort: 70_000 },
    { localPort: '17022' },
    { tenant: '../..' },
    { environment: '..' },
    { tenant: 'globex' },
    { namespace: 'kube-system' },
    { kubernetesContext: 1 },
  ])('with %p is no record', (change) => {
    expect(parsed(change).record).toBeUndefined();
  });

  it.each(['', 'null', '[]', '"x"', '{', '7'])('with the text %p is no record', (text) => {
    expect(parseRecord(text)).toEqual({ isLegacy: false });
  });

  it('is the same forward by tenant, environment, context, namespace and local port', () => {
    expect(isSameForward(RECORD, { ...RECORD, processId: 1, logPath: undefined })).toBe(true);
    expect(isSameForward(RECORD, { ...RECORD, kubernetesContext: 'other' })).toBe(false);
    expect(isSameForward(RECORD, { ...RECORD, localPort: 1 })).toBe(false);
  });

  it('that is a link, a folder, a pipe or 10 MB is no record, and is replaced', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, JSON.stringify(RECORD));
    const made = {
      link: (path: string) => symlink(outside, path),
      large: (path: string) => writeFile(path, JSON.stringify({ ...RECORD, more: 'x'.repeat(10_000_000) })),
      pipe: async (path: string) => void execFileSync('mkfifo', [path]),
    };
    for (const [name, make] of Object.entries(made)) {
      const path = join(folder, `${name}.json`);
      await make(path);
      expect(await readRecord(path)).toEqual({ isLegacy: false });
      await writeRecord(path, RECORD);
      expect((await readRecord(path)).record).toEqual(RECORD);
    }
    await mkdir(join(folder, 'folder.json'));
    expect(await readRecord(join(folder, 'folder.json'))).toEqual({ isLegacy: false });
    expect(await readFile(outside, 'utf8')).toBe(JSON.stringify(RECORD));
  });
});
