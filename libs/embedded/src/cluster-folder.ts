import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writePrivateFile } from '@plat/local';
import { ClusterError } from './cluster-error';
import type { ClusterUser } from './cluster-user';

/** The contents of a cluster's folder. */
export interface ClusterFolder {
  root: string;
  /** PostgreSQL's own data directory. Complete whenever it exists: it is renamed into place. */
  data: string;
  /** The folder in which initdb works. It exists after a start only if that was killed. */
  unfinished: string;
  /** The owner's password, mode 0600. */
  password: string;
}

export function clusterFolder(dataDir: string): ClusterFolder {
  const root = resolve(dataDir);
  return {
    root,
    data: join(root, 'data'),
    unfinished: join(root, 'data.unfinished'),
    password: join(root, 'password'),
  };
}

/** Makes the folder when it is missing, and hands it to the user that will run the server. */
export async function prepareFolder(folder: ClusterFolder, user: ClusterUser | undefined): Promise<void> {
  try {
    await mkdir(folder.root, { recursive: true, mode: 0o700 });
    if (user) await chown(folder.root, user.uid, user.gid);
  } catch (cause) {
    throw new ClusterError(`The database folder ${folder.root} cannot be made: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * Whether the folder holds a database of a major version: false when there is none yet.
 *
 * @throws ClusterError naming the folder when its data is damaged, of another version, or unreadable.
 * Nothing is ever deleted or repaired, because it may be the only copy.
 */
export async function holdsDatabase({ data }: ClusterFolder, major: string): Promise<boolean> {
  if ((await sizeOf(data)) === undefined) return false;
  const version = await readFile(join(data, 'PG_VERSION'), 'latin1').catch((error: NodeJS.ErrnoException) => {
    throw damaged(data, error.code === 'ENOENT' ? 'PG_VERSION is missing' : error.message);
  });
  if (!/^\d+\n?$/.test(version)) throw damaged(data, 'PG_VERSION is garbled');
  if (version.trim() !== major) {
    throw new ClusterError(
      `The database in ${data} was made by PostgreSQL ${version.trim()}, this is ${major}. Use another data directory.`,
    );
  }
  const controlSize = await sizeOf(join(data, 'global', 'pg_control'));
  if (controlSize === undefined) throw damaged(data, 'global/pg_control is missing');
  if (controlSize !== 8192) throw damaged(data, 'global/pg_control is cut short');
  return true;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ClusterError(`The database folder ${path} cannot be read: ${message}`, { cause: error });
  }
}

function damaged(data: string, what: string): ClusterError {
  return new ClusterError(
    `The database folder ${data} is damaged (${what}). Nothing was changed: restore it, or choose another data directory.`,
  );
}

/** The owner's password: read if a database exists, else made and kept. */
export async function keepOwnerPassword(
  folder: ClusterFolder,
  { user, exists }: { user: ClusterUser | undefined; exists: boolean },
): Promise<string> {
  const kept = await readFile(folder.password, 'utf8').catch(() => '');
  if (kept) return kept;
  if (exists) {
    throw new ClusterError(
      `The password of the database in ${folder.data} is gone: ${folder.password} cannot be read.`,
    );
  }
  const made = randomBytes(24).toString('base64url');
  await writePrivateFile(folder.password, made, user);
  return made;
}
