import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runGroup } from '../processes/process-group';
import { maskTokens } from '../terminal/mask-tokens';
import { printableText } from '../terminal/printable';

/** A remote and where it is cloned to. */
export interface FirstClone {
  remote: string;
  /** The checkout. */
  path: string;
  /** Checked out after the clone if it resolves. */
  ref?: string | undefined;
  /** The pod's own command for ssh, if it has one. */
  sshCommand?: string | undefined;
  interrupted: AbortSignal;
}

/** Result of a first clone, with a sentence for the pod's log. */
export interface Cloned {
  outcome: 'kept' | 'cloned' | 'failed';
  message: string;
}

/** Longest part of git's output that a message repeats, in characters. */
const OUTPUT_MAX = 2000;
/** Nobody can answer a question. A new host of ssh is trusted at first contact, since the pod knows none. */
const UNATTENDED = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new',
};

/**
 * Clones the remote if its checkout is missing or empty. The clone is made beside the checkout and moved there whole, so
 * a boot that is killed leaves an empty checkout, which the next boot fills. Spec: Client, PLAT_REPO_URL;
 * Decision H16.
 *
 * @throws the reason of `interrupted`
 */
export async function firstClone(clone: FirstClone): Promise<Cloned> {
  const { remote, path, ref } = clone;
  try {
    if (!(await isEmpty(path))) {
      return { outcome: 'kept', message: `${path} is not empty and stays as it is.` };
    }
    const fresh = `${path}.first-clone`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    const failure = await git(clone, ['clone', '--quiet', '--', remote, fresh]);
    if (failure !== undefined) {
      await rm(fresh, { recursive: true, force: true });
      return { outcome: 'failed', message: `${path} stays empty until the next boot: ${failure}` };
    }
    const missing = ref === undefined ? undefined : await checkOut(clone, fresh, ref);
    await rename(fresh, path);
    return {
      outcome: 'cloned',
      message: [`Cloned ${remote} into ${path}.`, missing].filter(Boolean).join(' '),
    };
  } catch (error) {
    clone.interrupted.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { outcome: 'failed', message: `${path} could not be filled: ${message}.` };
  }
}

/** @returns a sentence if the ref does not resolve; the default branch then stays */
async function checkOut(clone: FirstClone, folder: string, ref: string): Promise<string | undefined> {
  const failure = await git(clone, ['-C', folder, 'checkout', '--quiet', ref, '--']);
  return failure === undefined ? undefined : `It has no ${ref}, so the default branch stays.`;
}

/** @returns undefined after success, otherwise what git reported */
async function git(
  { interrupted, sshCommand }: FirstClone,
  args: readonly string[],
): Promise<string | undefined> {
  let output = '';
  const { code, signal } = await runGroup({
    argv: ['git', ...args],
    folder: '/',
    variables: sshCommand === undefined ? UNATTENDED : { ...UNATTENDED, GIT_SSH_COMMAND: sshCommand },
    interrupted,
    output: (chunk) => (output = `${output}${chunk.toString('utf8')}`.slice(-OUTPUT_MAX)),
  });
  if (code === 0) return undefined;
  const said = printableText(maskTokens(output)).trim();
  return said === '' ? `git ended with ${code ?? signal}.` : said;
}

/** Whether the folder is missing or has no entry. */
async function isEmpty(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.length === 0;
}
