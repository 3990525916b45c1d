import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCap, ForwardLog, LOG_BYTES_MAX } from './forward-log';
import { forwardStatus } from './forward-status';

describe('Log retention and cleanup', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-log-'));
    path = join(folder, 'dev.log');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const text = (end = '') => readFile(`${path}${end}`, 'utf8');

  it('rule 1: a log over 5 MiB is renamed to .1 before the next line, and one generation is kept', async () => {
    const log = new ForwardLog(path);
    log.write({ event: 'listening', fields: { port: 1 } });
    await appendFile(path, 'x'.repeat(LOG_BYTES_MAX));
    log.write({ event: 'opened', fields: { connection: 1 } });
    log.write({ event: 'ended', fields: { connection: 1 } });
    log.close();
    expect((await stat(`${path}.1`)).size).toBeGreaterThan(LOG_BYTES_MAX);
    expect((await text()).split('\n')).toHaveLength(3);
    expect(await text('.1')).toContain(' listening port=1\n');
  });

  it('rule 1: the cap holds while the forward runs, and nothing goes on writing to .1', async () => {
    const log = new ForwardLog(path);
    const message = 'y'.repeat(900);
    for (let line = 0; line < 6_000; line += 1) log.write({ event: 'failed', fields: { message } });
    const sizes = await Promise.all(['', '.1'].map(async (end) => (await stat(`${path}${end}`)).size));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LOG_BYTES_MAX);
    const older = await text('.1');
    log.write({ event: 'ended', fields: {} });
    log.close();
    expect(await text('.1')).toBe(older);
  });

  it('rule 2: the cap is applied from outside, and the running forward writes to the new log', async () => {
    const log = new ForwardLog(path);
    log.write({ event: 'listening', fields: {} });
    await appendFile(path, 'x'.repeat(LOG_BYTES_MAX));
    applyCap(path);
    expect(existsSync(path)).toBe(false);
    log.write({ event: 'opened', fields: {} });
    log.close();
    expect(await text()).toMatch(/^\S+ opened\n$/);
    applyCap(join(folder, 'none.log'));
  });

  it('a removed or renamed log is made again', async () => {
    const log = new ForwardLog(path);
    log.write({ event: 'listening', fields: {} });
    await rename(path, `${path}.old`);
    log.write({ event: 'opened', fields: {} });
    await rm(path);
    log.write({ event: 'ended', fields: {} });
    log.close();
    expect(await text()).toMatch(/^\S+ ended\n$/);
  });

  it('a log that is a link or a pipe is replaced, and nothing outside is written', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, 'mine');
    await symlink(outside, path);
    const log = new ForwardLog(path);
    log.write({ event: 'opened', fields: {} });
    log.close();
    expect(await readFile(outside, 'utf8')).toBe('mine');
    await rm(path);
    execFileSync('mkfifo', [path]);
    const other = new ForwardLog(path);
    other.write({ event: 'ended', fields: {} });
    other.close();
    expect(await text()).toMatch(/ ended\n$/);
  });

  it('lines that cannot be written are lost, and their number is reported when one can be again', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, '');
    const inside = join(blocked, 'dev.log');
    const log = new ForwardLog(inside);
    log.write({ event: 'opened', fields: {} });
    log.write({ event: 'ended', fields: {} });
    await rm(blocked);
    execFileSync('mkdir', [blocked]);
    log.write({ event: 'opened', fields: { connection: 2 } });
    log.close();
    expect(await readFile(inside, 'utf8')).toMatch(/ lost-lines count=2\n\S+ opened connection=2\n$/);
  });

  it('has one line for each event, whatever a message holds', async () => {
    const log = new ForwardLog(path);
    const message = 'two\nlines "and" more';
    log.write({ event: 'failed', fields: { connection: 7, pod: 'acme-0', absent: undefined, message } });
    log.close();
    expect((await text()).trim().split(' ').slice(1, 4)).toEqual(['failed', 'connection=7', 'pod=acme-0']);
    expect((await text()).match(/\n/g)).toHaveLength(1);
    expect((await forwardStatus(path)).lastError).toMatchObject({ message });
  });

  it('says when a connection last was opened and what failed last, also across .1', async () => {
    expect(await forwardStatus(path)).toEqual({});
    await writeFile(`${path}.1`, '2026-01-01T00:00:00.000Z failed message="no pod"\n');
    await writeFile(path, 'of another origin\n2026-01-02T00:00:00.000Z opened connection=1 pod=x\n');
    expect(await forwardStatus(path)).toEqual({
      lastSuccess: { at: '2026-01-02T00:00:00.000Z' },
      lastError: { at: '2026-01-01T00:00:00.000Z', message: 'no pod' },
    });
  });
});
