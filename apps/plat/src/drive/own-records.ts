import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folders in which a drive writes about itself, below the client's folder of the checkout. */
const BELOW = ['drive', 'leases'];
/** The bits of a mode by which the group and others may write. */
const OTHERS_WRITE = 0o022;

/**
 * Whether what is written about the drives of a checkout was written by this user, or by the owner of the repository, whom
 * git trusts. The client makes these folders private, so no one else can write there.
 *
 * @param own the client's folder of the checkout, in its git folder
 */
export async function areOwnRecords(own: string): Promise<boolean> {
  const owners = [process.getuid?.(), (await lstat(dirname(own))).uid];
  const folders = [own, ...BELOW.map((name) => join(own, name))];
  const judged = folders.map(async (folder) => {
    const facts = await lstat(folder).catch(absent);
    if (facts === undefined) return true;
    return facts.isDirectory() && owners.includes(facts.uid) && (facts.mode & OTHERS_WRITE) === 0;
  });
  return (await Promise.all(judged)).every(Boolean);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
