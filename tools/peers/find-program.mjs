import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Folders of servers, which an ordinary user's PATH often lacks. */
const SERVER_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * The absolute path of a file in one of the folders, or else in those of PATH.
 *
 * @param {string} name
 * @param {string[]} [folders]
 * @returns {Promise<string | undefined>}
 */
export async function findProgram(name, folders = []) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [...folders, ...path, ...SERVER_FOLDERS]) {
    const file = join(folder, name);
    if (await exists(file)) return file;
  }
  return undefined;
}

async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}
