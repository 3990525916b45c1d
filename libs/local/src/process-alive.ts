import { spaceOf } from './process-space';

/** Whether there is a process of this id; one that may not be signalled (EPERM) is alive. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether nothing speaks against it that a process is there; of one in another container nothing can. */
export function mayBeAlive(pid: number, space: string | undefined): boolean {
  const where = spaceOf(space);
  return where === 'elsewhere' || (where === 'here' && isAlive(pid));
}
