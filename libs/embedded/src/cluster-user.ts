import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ClusterError } from './cluster-error';

const run = promisify(execFile);

/** The user that owns the data and runs the server. */
export interface ClusterUser {
  uid: number;
  gid: number;
}

/**
 * The user that must run the server, since PostgreSQL refuses root. Undefined for an ordinary user, who runs it
 * himself; for root the owner of the existing data, else `postgres`, else `nobody`.
 *
 * @throws ClusterError when root has no other user to hand over to.
 */
export async function chooseClusterUser(dataFolder: string): Promise<ClusterUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = (await accountNamed('postgres')) ?? (await accountNamed('nobody'));
  if (!found) {
    throw new ClusterError(
      'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody to run it as.',
    );
  }
  return found;
}

async function accountNamed(name: string): Promise<ClusterUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout),
    );
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}
