import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { checkoutFolder } from './checkout-lock';
import type { Git } from './git';

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

/** The checkout that was begun and whose end was not noted; undefined if there is none. */
export async function begunCheckout(git: Git): Promise<BegunCheckout | undefined> {
  const text = await readFile(await notePath(git), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // The file is written in one step, so it is complete.
  return text === undefined ? undefined : (JSON.parse(text) as BegunCheckout);
}
