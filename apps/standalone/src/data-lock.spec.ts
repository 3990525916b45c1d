import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { DataDirInUseError, lockDataDir } from './data-lock';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-lock-'));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** The pid of a process that has ended and been reaped. */
async function pastPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}

describe('the lock of a data directory', () => {
  it("refuses a second start with the holder's pid", async () => {
    const dataDir = await folder();
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(new DataDirInUseError(dataDir, process.pid));
    await lock.release();
    await lockDataDir(dataDir);
  });

  it('is free again after its release', async () => {
    const dataDir = await folder();
    await (await lockDataDir(dataDir)).release();
    await (await lockDataDir(dataDir)).release();
  });

  it('is taken over from a killed process', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'lock'), `${await pastPid()} then`);
    await lockDataDir(dataDir);
    expect(await readFile(join(dataDir, 'lock'), 'utf8')).toMatch(`${process.pid} `);
    expect(await readdir(dataDir)).toEqual(['lock']);
  });

  it('is taken over although another process has got the pid since', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'lock'), `${process.pid} long ago`);
    await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
  });

  it.each(['', '{"pid":', 'null', '[]'])('is taken over if it contains %j', async (content) => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'lock'), content);
    await lockDataDir(dataDir);
    expect(await readdir(dataDir)).toEqual(['lock']);
  });

  it('is given to only one of many simultaneous starts, also if a stale lock is there', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'lock'), `${await pastPid()} then`);
    const starts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dataDir)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(dataDir)).toHaveLength(1);
  });

  it('leaves the mode of the directory as it is: PostgreSQL may run as another user', async () => {
    const dataDir = await folder();
    await chmod(dataDir, 0o711);
    await lockDataDir(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
  });
});
