import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkoutFolder } from './checkout-lock';

/** More than the paths of the submodules of any commit have. */
const BYTES_MAX = 16 * 1024 * 1024;

/** A checkout of a commit that the client has begun. */
export interface BegunCheckout {
  /** Full id of the commit. */
  commitId: string;
  /** Paths of the submodules whose files are taken out because the commit lacks them. They had no changes. */
  leaving: readonly string[];
  /** Set for the worktree of drives, whose folder is exchanged for one without files: no change in it is a person's. */
  renews?: true;
  /** Milliseconds since the epoch. */
  beganAt: number;
}

async function notePath(git: Git): Promise<string> {
  return join(await checkoutFolder(git), 'begun-checkout.json');
}

/** Notes that a checkout begins, so that the next run of the client finds one that was killed. */
export async function noteBegun(git: Git, begun: Omit<BegunCheckout, 'beganAt'>): Promise<void> {
  await writeInPrivateFolder(
    await notePath(git),
    `${JSON.stringify({ ...begun, beganAt: Date.now() } satisfies BegunCheckout)}\n`,
  );
}

/** Notes that the checkout has ended, or has changed nothing. */
export async function noteEnded(git: Git): Promise<void> {
  await rm(await notePath(git), { force: true });
}

/**
 * The checkout that was begun and whose end was not noted; undefined if there is none.
 *
 * @throws Failure BEGUN_CHECKOUT_UNREADABLE: the file is written in one step, so another program made what is there
 */
export async function readBegunCheckout(git: Git): Promise<BegunCheckout | undefined> {
  const path = await notePath(git);
  try {
    const note = readRegularFile(path, { bytesMax: BYTES_MAX, inside: dirname(path), mayBeLink: false });
    const begun: unknown = JSON.parse(note.toString('utf8'));
    if (isBegun(begun)) return begun;
  } catch (error) {
    if (error instanceof FileRefused && error.fault === 'absent') return undefined;
    if (!(error instanceof SyntaxError || error instanceof FileRefused)) throw error;
  }
  throw new Failure('BEGUN_CHECKOUT_UNREADABLE', `${path} does not say which checkout was begun.`, {
    details: { path },
    next: nextStep(
      'git status, to see what is in the checkout; then',
      ['rm', path],
      ' and repeat the command',
    ),
  });
}

function isBegun(value: unknown): value is BegunCheckout {
  if (typeof value !== 'object' || value === null) return false;
  const { commitId, leaving, beganAt } = value as Partial<BegunCheckout>;
  const isId = typeof commitId === 'string' && /^[0-9a-f]+$/.test(commitId);
  return isId && Array.isArray(leaving) && typeof beganAt === 'number';
}
