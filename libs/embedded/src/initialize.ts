import { chown, mkdir, rename, rm } from 'node:fs/promises';
import type { Binaries } from './binaries';
import { ClusterError } from './cluster-error';
import type { ClusterFolder } from './cluster-folder';
import type { ClusterUser } from './cluster-user';
import { type Launcher, reasonOf } from './launcher';

/** The superuser that initdb makes. */
export const OWNER = 'postgres';

interface Initialization {
  folder: ClusterFolder;
  binaries: Binaries;
  launcher: Launcher;
  user: ClusterUser | undefined;
  durable: boolean;
}

/**
 * Makes an empty database cluster: UTF-8, the C.UTF-8 collation (the same order on every machine), scram-sha-256 for
 * every connection. initdb works in a folder next to it, and the result is renamed into place, so that a start that is killed
 * half-way leaves nothing that looks like a database.
 */
export async function initialize({
  folder,
  binaries,
  launcher,
  user,
  durable,
}: Initialization): Promise<void> {
  await rm(folder.unfinished, { recursive: true, force: true });
  await mkdir(folder.unfinished, { mode: 0o700 });
  if (user) await chown(folder.unfinished, user.uid, user.gid);
  const args = ['--pgdata', folder.unfinished, '--username', OWNER, '--pwfile', folder.password];
  args.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions', ...localeOf(binaries));
  if (!durable) args.push('--no-sync', ...(Number(binaries.major) < 18 ? [] : ['--no-data-checksums']));
  try {
    await launcher.run(binaries.initdb, args);
  } catch (cause) {
    throw new ClusterError(`initdb could not make a database in ${folder.root}: ${reasonOf(cause)}`, {
      cause,
    });
  }
  await rename(folder.unfinished, folder.data);
}

/** Before version 17 PostgreSQL has no C.UTF-8 of its own and uses the operating system's, if there is one. */
function localeOf({ major }: Binaries): string[] {
  if (Number(major) < 17) return ['--locale', 'C.UTF-8'];
  return ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
}
