import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@plat/testing';
import type { Case } from './cases';
import type { Asked } from './subject/exchange';

/** Answers the question with the git command, from a fresh clone. @returns the seconds that it took */
export async function measureGit(yardstick: Case['yardstick'], asked: Asked): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-bench-clone-'));
  const filter = yardstick === 'clone without trees' ? 'tree:0' : 'blob:none';
  const startedAt = performance.now();
  try {
    await git(folder, ['clone', '--quiet', '--bare', `--filter=${filter}`, asked.remoteUrl, 'clone']);
    await judge(join(folder, 'clone'), asked);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the commands that answer the question, without judging the trees that git's merges write. */
async function judge(clone: string, asked: Asked): Promise<void> {
  if (asked.condition === 'history') {
    const { targetBranch, sourceBranch } = asked;
    return void (await git(clone, ['merge-tree', '--write-tree', targetBranch, sourceBranch]));
  }
  if (asked.condition === 'content') {
    if (!('commitId' in asked)) return;
    return void (await git(clone, ['merge-tree', '--write-tree', `${asked.commitId}^`, asked.sourceBranch]));
  }
  const { targetBranch, commitId, anchorCommitId } = asked;
  await git(clone, ['merge-base', '--is-ancestor', commitId, targetBranch]);
  if (anchorCommitId !== undefined) {
    await git(clone, ['merge-base', '--is-ancestor', anchorCommitId, commitId]);
  }
}
