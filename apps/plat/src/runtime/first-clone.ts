import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProcessIdentity } from '@plat/local';
import { canonicalRepository } from '@plat/remote';
import { halfOfFreeSpace, watchPacks } from '../git/pack-watch';
import { SILENCE, type SilenceBounds, watchSilence } from '../git/silence';
import { type GroupEnd, type GroupRun, runGroup } from '../processes/process-group';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';

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
  /** Most bytes that the remote may send; default half of what the disk has free. */
  bytesMax?: number | undefined;
  /** Longest time in which the remote sends nothing, or the checkout does nothing; default SILENCE. */
  silence?: SilenceBounds | undefined;
}

/** Result of a first clone, with a sentence for the pod's log. */
export interface Cloned {
  outcome: 'kept' | 'cloned' | 'failed';
  message: string;
}

/** Longest part of git's output that a message repeats, in characters. */
const OUTPUT_MAX = 2000;
/**
 * No user is there to answer a question. A new host of ssh is trusted at first contact, since the pod knows none. A
 * server that no longer sends anything ends the clone, which would otherwise last for ever.
 */
const UNATTENDED = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_HTTP_LOW_SPEED_LIMIT: '1',
  GIT_HTTP_LOW_SPEED_TIME: '120',
  GIT_SSH_COMMAND:
    'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o ConnectTimeout=30 -o ServerAliveInterval=30',
};

/**
 * Clones the remote if its checkout is missing or empty. The clone is made next to the checkout and moved there whole,
 * so a boot that is killed, or a disk that is full, leaves an empty checkout, which the next boot fills. Spec: Client,
 * PLAT_REPO_URL; Rule H16.
 *
 * @throws the reason of `interrupted`
 */
export async function firstClone(clone: FirstClone): Promise<Cloned> {
  const { remote, path, interrupted } = clone;
  const fresh = `${path}.first-clone`;
  try {
    if (!(await isEmpty(path))) {
      const other = await otherOrigin(clone);
      const which = other === undefined ? '' : ` It is a checkout of ${other}, and not of ${remote}.`;
      return { outcome: 'kept', message: `${path} is not empty and stays as it is.${which}` };
    }
    await rm(fresh, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    const missing = await fill(clone, fresh);
    await rename(fresh, path);
    return {
      outcome: 'cloned',
      message: [`Cloned ${remote} into ${path}.`, missing].filter(Boolean).join(' '),
    };
  } catch (error) {
    interrupted.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined && !(error instanceof GitFailure)) throw error;
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
    return { outcome: 'failed', message: `${path} stays as it is until the next boot: ${message}` };
  }
}

/** A failure that git reported. */
class GitFailure extends Error {}

/**
 * Clones into a folder and checks the ref out. The remote is silent during the checkout, which may take long, so the two are
 * bounded apart. Spec: Client, PLAT_REPO_REF.
 *
 * @returns a sentence if the ref does not resolve; the default branch then stays
 * @throws GitFailure; a checkout that fails is no ref that does not resolve, and leaves half of the files
 */
async function fill(clone: FirstClone, folder: string): Promise<string | undefined> {
  const { remote, ref } = clone;
  await cloneBounded(clone, ['clone', '--quiet', '--no-checkout', '--', remote, folder], folder);
  const isThere = ref === undefined || (await resolves(clone, folder, ref));
  const place = isThere ? (ref ?? 'HEAD') : 'HEAD';
  // An empty repository has no commit to check out.
  if (await resolves(clone, folder, place)) await checkOutBounded(clone, folder, place);
  return isThere ? undefined : `It has no ${ref}, so the default branch stays.`;
}

/** Ends a clone whose remote sends too much, or nothing for as long as others may. @throws GitFailure, Failure */
async function cloneBounded(clone: FirstClone, args: readonly string[], folder: string): Promise<void> {
  const { bytesMax = await halfOfFreeSpace(dirname(folder)), silence: { silentMilliseconds } = SILENCE } =
    clone;
  const packs = watchPacks(join(folder, '.git', 'objects', 'pack'), { bytesMax, silentMilliseconds });
  const interrupted = AbortSignal.any([clone.interrupted, packs.signal]);
  await packs.watch(() => succeed({ ...clone, interrupted }, args));
}

/** Ends a checkout that does nothing, such as one whose filter waits for a silent server. @throws GitFailure, Failure */
async function checkOutBounded(clone: FirstClone, folder: string, place: string): Promise<void> {
  const { silence = SILENCE } = clone;
  const ended = new AbortController();
  let endWatch = () => {};
  const beginning = ({ pid }: ProcessIdentity) => {
    endWatch = watchSilence(pid, silence, () => ended.abort(checkoutSilent(silence)));
    return Promise.resolve();
  };
  const interrupted = AbortSignal.any([clone.interrupted, ended.signal]);
  const args = ['-C', folder, 'checkout', '--quiet', place, '--'];
  await succeed({ ...clone, interrupted }, args, beginning).finally(() => endWatch());
}

const checkoutSilent = ({ silentMilliseconds }: SilenceBounds): Failure =>
  new Failure(
    'CHECKOUT_SILENT',
    `The checkout has done nothing for ${Math.ceil(silentMilliseconds / 60_000)} minutes.`,
    { next: 'look whether the servers of the filters of git answer, such as that of git-lfs' },
  );

async function resolves(clone: FirstClone, folder: string, ref: string): Promise<boolean> {
  for (const name of [`refs/tags/${ref}`, `refs/remotes/origin/${ref}`, ref]) {
    const args = ['-C', folder, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`];
    if ((await git(clone, args)).code === 0) return true;
  }
  return false;
}

/** Where the checkout comes from, if that is not the remote. */
async function otherOrigin(clone: FirstClone): Promise<string | undefined> {
  const { code, output } = await git(clone, ['-C', clone.path, 'config', '--get', 'remote.origin.url']);
  const origin = code === 0 ? canonicalRepository(output.trim()) : undefined;
  return origin === canonicalRepository(clone.remote) ? undefined : origin;
}

/** @throws GitFailure with what git reported */
async function succeed(
  clone: FirstClone,
  args: readonly string[],
  beginning?: GroupRun['beginning'],
): Promise<void> {
  const { code, signal, output } = await git(clone, args, beginning);
  if (code === 0) return;
  throw new GitFailure(output === '' ? `git ended with ${code ?? signal}.` : output);
}

async function git(
  { interrupted, sshCommand }: FirstClone,
  args: readonly string[],
  beginning?: GroupRun['beginning'],
): Promise<GroupEnd & { output: string }> {
  const tail = new OutputTail(OUTPUT_MAX);
  const end = await runGroup({
    argv: ['git', ...args],
    folder: '/',
    variables: sshCommand === undefined ? UNATTENDED : { ...UNATTENDED, GIT_SSH_COMMAND: sshCommand },
    // git runs nothing of the repository, and may need a token for its remote.
    passed: 'all',
    interrupted,
    beginning,
    output: (chunk) => tail.add(chunk),
  });
  return { ...end, output: tail.text() };
}

/** Whether the folder is missing or has no entry. */
async function isEmpty(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.length === 0;
}
