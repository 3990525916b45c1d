import { type Head, requireCleanTree } from '../checkout/checkout';
import { noteGated } from '../checkout/own-merge';
import { requireStanding } from '../checkout/standing';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { noteGate } from './noted-gates';

export interface GateByHand<T> {
  /** The git of the checkout; undefined outside one. */
  git: Git | undefined;
  gate(): Promise<T>;
  /** Whether the error is the gate's own verdict, and not that it could not be run. */
  isVerdict(error: unknown): boolean;
  /** Called with the reason if the gate does not count. */
  note(line: string): void;
}

/**
 * Runs a gate that a person started by hand, and notes for `record-build --gate` and `exec push` how it ended. A success
 * counts if the checkout has no changes, before and after; a failure if it has none before.
 */
export async function runGateByHand<T>(by: GateByHand<T>): Promise<T> {
  const { git, gate, isVerdict } = by;
  const before = git && (await unlessRefused(by, requireCleanTree(git)));
  if (!git || before?.commit === undefined) return gate();
  try {
    const result = await gate();
    await notePass(by, git, before as Required<Head>);
    return result;
  } catch (error) {
    if (isVerdict(error)) await noteGate(git, before.commit, false);
    throw error;
  }
}

async function notePass<T>(by: GateByHand<T>, git: Git, { branch, commit }: Head & { commit: string }) {
  const standing = requireStanding(git, branch, commit).then(() => true as const);
  if (!(await unlessRefused(by, standing))) return;
  await noteGate(git, commit, true);
  if (branch !== undefined) await noteGated(git, branch, commit);
}

async function unlessRefused<T>({ note }: Pick<GateByHand<unknown>, 'note'>, look: Promise<T>) {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`The gate does not count for record-build and exec push: ${error.message}`);
    return undefined;
  }
}
