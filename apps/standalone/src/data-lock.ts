import { join } from 'node:path';
import { type FileLock, FileLockHeld, holdFileLock } from '@plat/local';

/** Another start holds the data directory. */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
  constructor(dataDir: string, pid: number | undefined) {
    super(
      `The data directory ${dataDir} is in use by process ${pid}. Stop it first, or choose another --data-dir.`,
    );
  }
}

/**
 * Takes an existing data directory for this process. A lock that a killed process left is taken over.
 *
 * @throws DataDirInUseError while its holder runs
 */
export async function lockDataDir(dataDir: string): Promise<FileLock> {
  try {
    return await holdFileLock(join(dataDir, 'lock'));
  } catch (error) {
    throw error instanceof FileLockHeld ? new DataDirInUseError(dataDir, error.pid) : error;
  }
}
