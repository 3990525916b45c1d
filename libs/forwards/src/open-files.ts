import { execFile } from 'node:child_process';
import { readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** How a system lists the files of a path list that processes of this user have open; undefined if it cannot. */
export type OpenFiles = (paths: readonly string[]) => Promise<ReadonlySet<string> | undefined>;

/**
 * Those of the paths that no process of this user has open. None if the system does not say, because a file that a
 * process may still write to is kept. Spec: Client, Log retention and cleanup, rule 5.
 *
 * @param listOpen default: by the tables of the system that this is
 */
export async function withoutOpen(paths: readonly string[], listOpen = openFilesHere): Promise<string[]> {
  if (paths.length === 0) return [];
  // The operating system names open files without links.
  const real = await Promise.all(paths.map(realPathOf));
  const open = await listOpen(real);
  return open === undefined ? [] : paths.filter((_path, index) => !open.has(real[index] ?? ''));
}

const openFilesHere: OpenFiles = (paths) =>
  process.platform === 'linux' ? openFilesIn('/proc') : openByLsof('lsof', paths);

/** The path without links in its folders; the file itself may be one. */
async function realPathOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

/** @param program lsof, which not every machine has */
export async function openByLsof(
  program: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-Fn', '--', ...paths]);
    return pathsIn(stdout);
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    // lsof exits with 1 if no process has one of the files open, and lists the others.
    return code === 1 ? pathsIn(stdout ?? '') : undefined;
  }
}

const pathsIn = (text: string) => new Set([...text.matchAll(/^n(.+)$/gm)].map(([, path = '']) => path));

/** @param folder /proc, which shows at least the files of this very process if it shows any */
export async function openFilesIn(folder: string): Promise<ReadonlySet<string> | undefined> {
  const pids = (await namesIn(folder))?.filter((name) => /^\d+$/.test(name));
  if (pids === undefined || (await namesIn(join(folder, 'self', 'fd'))) === undefined) return undefined;
  const links = await Promise.all(
    pids.map(async (pid) => {
      const files = (await namesIn(join(folder, pid, 'fd'))) ?? [];
      return Promise.all(files.map((file) => readlink(join(folder, pid, 'fd', file)).catch(() => '')));
    }),
  );
  return new Set(links.flat());
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  return readdir(folder).catch(() => undefined);
}
