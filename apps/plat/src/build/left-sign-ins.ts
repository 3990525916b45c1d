import { lstat, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isThere, type ProcessIdentity } from '@plat/local';

/** Prefix of the folders of sign-ins. */
export const SIGN_IN_FOLDER = 'plat-docker-';

const OWNER = 'plat-owner.json';

/** The process that owns a folder, and its machine, because several machines may share a temporary folder. */
interface Owner extends ProcessIdentity {
  machine: string;
}

/** Records this process as the owner of a sign-in's folder. */
export async function noteOwner(folder: string): Promise<void> {
  const owner = { ...(await identify(process.pid)), machine: await thisMachine() };
  await writeFile(join(folder, OWNER), JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
}

/**
 * Removes this user's sign-ins of clients that were killed on this machine. A sign-in stays if its owner still runs or
 * is unknown.
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

/**
 * Whether the path is a folder of this user: other users may create anything in the temporary folder, links included.
 */
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

/** Names the machine by host and process namespace, because containers may share a host name but not process ids. */
async function thisMachine(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();
}
