import fs from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCap, ForwardLog, LOG_BYTES_MAX } from './forward-log';
import { forwardStatus } from './forward-status';

let folder: string;
let path: string;
let log: ForwardLog;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-forward-log-'));
  path = join(folder, 'dev1.log');
  log = new ForwardLog(path);
});
afterEach(async () => {
  jest.restoreAllMocks();
  log.close();
  await rm(folder, { recursive: true });
});
const refuse = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};
const failed = (message: string) => log.write({ event: 'failed', fields: { message } });
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');

describe('the cap of a log', () => {
  it('is 5 MiB. Spec: Client, Log retention and cleanup, rule 1', () => {
    expect(LOG_BYTES_MAX).toBe(5 * 2 ** 20);
  });

  it.each([
    ['has begun another log', 'newer\n'],
    ['has begun none yet', ''],
  ])('replaces no older log if the forward was quicker, and %s', async (_, newer) => {
    await writeFile(path, 'x'.repeat(LOG_BYTES_MAX + 1));
    const { lstatSync } = fs;
    jest.spyOn(fs, 'lstatSync').mockImplementationOnce((name) => {
      const found = lstatSync(name);
      fs.renameSync(path, `${path}.1`);
      fs.writeFileSync(path, 'small\n');
      return found;
    });
    const { linkSync } = fs;
    jest.spyOn(fs, 'linkSync').mockImplementationOnce((from, to) => {
      if (newer) fs.writeFileSync(path, newer);
      linkSync(from, to);
    });
    applyCap(path);
    expect((await stat(`${path}.1`)).size).toBe(LOG_BYTES_MAX + 1);
    expect(await readFile(path, 'utf8')).toBe(`${newer}small\n`);
    expect(fs.readdirSync(folder).sort()).toEqual(['dev1.log', 'dev1.log.1']);
  });

  it('holds while the forward runs, with one .1. Spec: Client, Log retention and cleanup, rule 1', async () => {
    await writeFile(path, 'x'.repeat(LOG_BYTES_MAX - 10));
    await writeFile(`${path}.1`, 'an older generation');
    failed('first');
    failed('second');
    expect((await stat(`${path}.1`)).size).toBe(LOG_BYTES_MAX - 10);
    expect(await linesOf(path)).toEqual([expect.stringMatching(/first$/), expect.stringMatching(/second$/)]);
    expect(fs.readdirSync(folder).sort()).toEqual(['dev1.log', 'dev1.log.1']);
  });

  it('counts bytes, not characters', async () => {
    await writeFile(path, 'x'.repeat(LOG_BYTES_MAX - 1000));
    failed('ü'.repeat(900));
    expect((await stat(`${path}.1`)).size).toBe(LOG_BYTES_MAX - 1000);
  });

  it('is applied again by open; the writer goes on in the new log. Spec: Client, Log retention and cleanup, rule 2', async () => {
    failed('before');
    await appendFile(path, 'x'.repeat(LOG_BYTES_MAX));
    applyCap(path);
    failed('after');
    expect(await linesOf(path)).toEqual([expect.stringMatching(/ failed message=after$/)]);
    expect((await stat(`${path}.1`)).size).toBeGreaterThan(LOG_BYTES_MAX);
  });

  it.each<[string, () => unknown]>([
    ['a full disk', () => jest.spyOn(fs, 'renameSync').mockImplementation(() => refuse('ENOSPC'))],
    ['an unreadable folder', () => jest.spyOn(fs, 'lstatSync').mockImplementation(() => refuse('EACCES'))],
    ['a file in place of its folder', () => (path = join(path, 'dev1.log'))],
    ['a folder with content as the older log', () => mkdir(join(`${path}.1`, 'mine'), { recursive: true })],
  ])('never fails: %s', async (_what, make) => {
    await writeFile(path, 'x'.repeat(LOG_BYTES_MAX + 1));
    await make();
    expect(() => applyCap(path)).not.toThrow();
    jest.restoreAllMocks();
    const kept = fs.readdirSync(folder).find((name) => name.includes('.kept-'));
    if (kept !== undefined) expect(fs.readdirSync(join(folder, kept))).toEqual(['mine']);
  });

  it('leaves a small log, an absent one, a folder and a link', async () => {
    applyCap(path);
    failed('small');
    applyCap(path);
    await mkdir(join(folder, 'folder.log'));
    applyCap(join(folder, 'folder.log'));
    await writeFile(join(folder, 'large'), 'x'.repeat(LOG_BYTES_MAX + 1));
    await symlink(join(folder, 'large'), join(folder, 'link.log'));
    applyCap(join(folder, 'link.log'));
    expect(fs.readdirSync(folder).sort()).toEqual(['dev1.log', 'folder.log', 'large', 'link.log']);
  });
});

describe('a log whose file changes', () => {
  it.each(['renamed', 'removed'])('and is %s goes on under its name. Rule H10', async (change) => {
    failed('before');
    if (change === 'renamed') await rename(path, `${path}.1`);
    else await rm(path);
    failed('after');
    expect(await linesOf(path)).toEqual([expect.stringMatching(/after$/)]);
    if (change === 'renamed') expect(await linesOf(`${path}.1`)).toEqual([expect.stringMatching(/before$/)]);
  });

  it('is its owner’s alone', async () => {
    failed('secret');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('does not follow a link', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, 'kept');
    await symlink(outside, path);
    failed('after');
    expect(await readFile(outside, 'utf8')).toBe('kept');
    expect(await linesOf(path)).toHaveLength(1);
  });

  it.each(['the log', 'the older log'])('is written if a folder is in the place of %s', async (place) => {
    const inTheWay = place === 'the log' ? path : `${path}.1`;
    await mkdir(join(inTheWay, 'more'), { recursive: true });
    if (place === 'the older log') await writeFile(path, 'x'.repeat(LOG_BYTES_MAX));
    failed('after');
    expect(await linesOf(path)).toEqual([expect.stringMatching(/after$/)]);
  });
});

describe('a full disk', () => {
  const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  it('loses lines and says how many', async () => {
    failed('before');
    const write = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw full();
    });
    failed('one');
    failed('two');
    write.mockRestore();
    failed('after');
    expect(await linesOf(path)).toEqual([
      expect.stringMatching(/before$/),
      expect.stringMatching(/ lost-lines count=2$/),
      expect.stringMatching(/after$/),
    ]);
  });

  it('that takes half a line loses no later one', async () => {
    const real = fs.writeSync;
    const write = jest
      .spyOn(fs, 'writeSync')
      .mockImplementationOnce(((file: number, bytes: Buffer) =>
        real(file, bytes.subarray(0, 40))) as typeof fs.writeSync);
    failed('cut');
    write.mockRestore();
    failed('after');
    const [, ...whole] = await linesOf(path);
    expect(whole).toEqual([
      expect.stringMatching(/^\S+ lost-lines count=1$/),
      expect.stringMatching(/^\S+ failed message=after$/),
    ]);
    expect((await forwardStatus(path)).lastError?.message).toBe('after');
  });
});

describe('the status of a forward', () => {
  it('is its last success and its last error, from the older log too', async () => {
    log.write({ event: 'opened', fields: { pod: 'acme-0' } });
    await rename(path, `${path}.1`);
    failed('no pod of "acme-ssh" is ready');
    const { lastSuccess, lastError } = await forwardStatus(path);
    expect(lastSuccess?.at).toMatch(/^\d{4}-\d\d-\d\dT.+Z$/);
    expect(lastError?.message).toBe('no pod of "acme-ssh" is ready');
  });

  it('is empty without a log, for a folder, for a link, and for other text', async () => {
    expect(await forwardStatus(path)).toEqual({});
    expect(await forwardStatus(folder)).toEqual({});
    failed('of another');
    await symlink(path, join(folder, 'link.log'));
    expect(await forwardStatus(join(folder, 'link.log'))).toEqual({});
    await writeFile(path, Buffer.alloc(300_000, 0xff));
    expect(await forwardStatus(path)).toEqual({});
  });
});
