import { readlink } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { processTable } from './process-table';

/**
 * Whether a program may be at work in the folder or below it: it runs there, or the machine does not say where it runs.
 *
 * @param program the name of its file, such as `git`
 */
export async function worksIn(program: string, folder: string): Promise<boolean> {
  const table = await processTable().catch(() => undefined);
  if (table === undefined) return true;
  const running = table.filter(({ line }) => basename(line.split(' ')[0] ?? '') === program);
  const places = await Promise.all(running.map(({ pid }) => placeOf(pid)));
  return places.some((place) => place === undefined || place === folder || place.startsWith(folder + sep));
}

/** The working folder of a process; undefined if the machine does not show it, empty if the process has ended. */
async function placeOf(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) =>
    process.platform === 'linux' && error.code === 'ENOENT' ? '' : undefined,
  );
}
