import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { childVariables } from '../environment';

/**
 * Removes a folder with all that is in it, folders without permissions of the owner too. Follows no link.
 *
 * The programs of the system do it, because Node's `rm` empties the folder that a link leads to if it may not remove the
 * link itself. A gate that runs as another user can leave such a link, and can replace a folder by one at any moment.
 *
 * @throws Error with the first fault, if anything stays
 */
export async function removeTree(folder: string): Promise<void> {
  if ((await faultOf('/bin/rm', ['-rf', '--', folder])) === undefined) return;
  // A part of the tree may be another user's, whose permissions stay as they are.
  await faultOf('/bin/chmod', ['-R', 'u+rwX', '--', folder]);
  const fault = await faultOf('/bin/rm', ['-rf', '--', folder]);
  if (fault !== undefined) throw new Error(fault);
}

/** Runs a program. @returns the first line of its complaint; undefined if it has done everything */
async function faultOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const env = childVariables({ LC_ALL: 'C', LANGUAGE: '' });
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return undefined;
  return complaint.split('\n', 1)[0] || `${program} ended with ${code}`;
}
