import { spaceOf } from './process-space';

/** Whether a process with this id exists. One that may not be signalled (EPERM) does. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process may still run. For one in another container this is always possible. */
export function mayBeAlive(pid: number, space: string): boolean {
  const where = spaceOf(space);
  return where === 'elsewhere' || (where === 'here' && isAlive(pid));
}
