import { FileLockHeld, type PatientWait, withFileLock as withLocalLock } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/**
 * Runs the work while no other process holds the same lock.
 *
 * @param patience waits for as long as the holder runs
 * @throws Failure LOCKED after a minute if `patience` is not given
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patience?: PatientWait,
): Promise<T> {
  try {
    return await withLocalLock(path, work, patience);
  } catch (error) {
    if (error instanceof FileLockHeld && error.path === path) {
      throw new Failure('LOCKED', error.message, { next: nextStep('rm', [path]) });
    }
    throw error;
  }
}
