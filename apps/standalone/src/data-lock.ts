import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningProcess } from '@plat/embedded';

/** Another start holds the data directory. */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
  constructor(
    dataDir: string,
    readonly pid: number,
  ) {
    super(
      `The data directory ${dataDir} is in use by process ${pid}. Stop it first, or choose another --data-dir.`,
    );
  }
}

/** A data directory held by this process. */
export interface DataLock {
  release(): Promise<void>;
}

/** The process that holds the lock. A pid alone is not enough: after a crash another process may have it. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

const LOCK_NAME = /^lock\.(\d+)$/;

/**
 * Takes an existing data directory for this process. A lock that a killed process left is passed over.
 *
 * Each holder has a file of its own, `lock.1`, `lock.2`, …; the newest counts, and it is emptied, never
 * removed, at the release. If a stale lock were replaced in place, a slow start could replace the fresh lock
 * of a quick one. A number can be taken only once, and a start whose number is not the newest withdraws.
 *
 * @throws DataDirInUseError while its holder runs
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const draft = join(dataDir, `lock-${randomUUID()}`);
  const startedAt = (await runningProcess(process.pid))?.startedAt ?? '';
  await writeFile(draft, JSON.stringify({ pid: process.pid, startedAt } satisfies Holder), {
    flag: 'wx',
    mode: 0o600,
  });
  try {
    for (;;) {
      const file = await takeNext(dataDir, draft);
      if (file !== undefined) return { release: () => writeFile(file, '') };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Tries the number after the newest; undefined when another start was quicker. */
async function takeNext(dataDir: string, draft: string): Promise<string | undefined> {
  const newest = Math.max(0, ...(await lockNumbers(dataDir)));
  const holder = await holderOf(join(dataDir, `lock.${newest}`));
  if (holder && (await runningProcess(holder.pid))?.startedAt === holder.startedAt) {
    throw new DataDirInUseError(dataDir, holder.pid);
  }
  const file = join(dataDir, `lock.${newest + 1}`);
  // A hard link appears with its whole content, or fails because the file exists already.
  if (!(await linked(draft, file))) return undefined;
  const others = (await lockNumbers(dataDir)).filter((number) => number !== newest + 1);
  if (others.some((number) => number > newest + 1)) {
    await rm(file, { force: true });
    return undefined;
  }
  for (const number of others) await rm(join(dataDir, `lock.${number}`), { force: true });
  return file;
}

async function lockNumbers(dataDir: string): Promise<number[]> {
  const names = await readdir(dataDir);
  return names.flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? []).map(Number);
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The holder of a lock; undefined when the file is released, gone or malformed. */
async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    const { pid, startedAt } = JSON.parse(await readFile(file, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}
