import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
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

/** Who holds it. A pid alone is not enough: after a crash another process may have got it. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Takes an existing data directory for this process. A lock that a killed process left is replaced.
 *
 * @throws DataDirInUseError while its holder runs
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const lockFile = join(dataDir, 'lock');
  const draft = `${lockFile}.${randomUUID()}`;
  const startedAt = (await runningProcess(process.pid))?.startedAt ?? '';
  const ours = JSON.stringify({ pid: process.pid, startedAt } satisfies Holder);
  await writeFile(draft, ours, { flag: 'wx', mode: 0o600 });
  try {
    // A hard link appears with its whole content, or fails because there is one already.
    while (!(await linked(draft, lockFile))) await clearStaleLock(dataDir, lockFile);
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await readFile(lockFile, 'utf8').catch(() => '')) === ours) await rm(lockFile, { force: true });
    },
  };
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

async function clearStaleLock(dataDir: string, lockFile: string): Promise<void> {
  const seen = await readFile(lockFile, 'utf8').catch(() => undefined);
  if (seen === undefined) return;
  const holder = parseHolder(seen);
  if (holder && (await runningProcess(holder.pid))?.startedAt === holder.startedAt) {
    throw new DataDirInUseError(dataDir, holder.pid);
  }
  // Two starts may judge the same lock stale at once: what was moved away must be what was judged.
  const aside = `${lockFile}.${randomUUID()}`;
  try {
    await rename(lockFile, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== seen) await linked(aside, lockFile);
  await rm(aside, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text) as Holder;
    return { pid, startedAt };
  } catch {
    return undefined;
  }
}
