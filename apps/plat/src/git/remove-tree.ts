import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childVariables } from '../environment';

/**
 * Removes a folder with all that is in it, folders without permissions of the owner too. Follows no link.
 *
 * The programs on the PATH do it, because Node's `rm` empties the folder that a link leads to if it may not remove the
 * link itself. A gate that runs as another user can leave such a link, and can replace a folder by one at any moment.
 *
 * @throws Error with the first fault, if anything stays
 */
export async function removeTree(folder: string): Promise<void> {
  if ((await faultOf('rm', ['-rf', '--', folder])) === undefined) return;
  // A part of the tree may be another user's, whose permissions stay as they are.
  await faultOf('chmod', ['-R', 'u+rwX', '--', folder]);
  const fault = await faultOf('rm', ['-rf', '--', folder]);
  if (fault !== undefined) throw new Error(fault);
}

/** Runs a program. @returns the first line of its complaint; undefined if it has done everything */
async function faultOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const env = childVariables({ LC_ALL: 'C', LANGUAGE: '' });
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  // A gate can leave millions of files, with a line about each.
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (!complaint.includes('\n')) complaint += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return undefined;
  return complaint.split('\n', 1)[0] || `${program} ended with ${code}`;
}
