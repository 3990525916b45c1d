import { lstat, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isThere, type ProcessIdentity } from '@plat/local';

/** How the folders of sign-ins begin. */
export const SIGN_IN_FOLDER = 'plat-docker-';

const OWNER = 'plat-owner.json';

/** Whose a folder is: a process, and where its id counts, since a temporary folder may be shared. */
interface Owner extends ProcessIdentity {
  machine: string;
}

/** Writes into a folder of a sign-in that it is this process's. */
export async function noteOwner(folder: string): Promise<void> {
  const owner = { ...(await identify(process.pid)), machine: await thisMachine() };
  await writeFile(join(folder, OWNER), JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
}

/**
 * Removes the sign-ins of this user that clients left which were killed on this machine. One whose owner cannot be told,
 * or is at work, stays.
 */
export async function removeLeftSignIns(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(SIGN_IN_FOLDER));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    if (await isLeft(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function isLeft(folder: string): Promise<boolean> {
  if (!(await isOwn(folder))) return false;
  const owner = await ownerOf(folder);
  return owner?.machine === (await thisMachine()) && !(await isThere(owner));
}

/** Somebody else may have put anything into the temporary folder, a link included. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

async function ownerOf(folder: string): Promise<Owner | undefined> {
  try {
    const { pid, began, machine } = JSON.parse(await readFile(join(folder, OWNER), 'utf8')) as Partial<Owner>;
    return Number.isSafeInteger(pid) && typeof began === 'string' && typeof machine === 'string'
      ? ({ pid, began, machine } as Owner)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Containers may share a name, but each counts its processes for itself. */
async function thisMachine(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();
}
