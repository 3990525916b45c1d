import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@plat/testing';
import type { ReplayRepository } from './replay-repository';

/** The cost of one landing for a person whose clone has the commit before it. */
export interface WarmCheck {
  /** Seconds of `git fetch` of landing and source, and of `git merge-tree` of the source onto the landed commit's parent. */
  seconds: number;
  bytes: number;
}

/** Landings after which the clone's packs become one, as git's own upkeep does. */
const PACKS = 32;

/** Fetches and merges each landing with git alone, oldest first. One check for each pull request, in their order. */
export async function checkInWarmClone({ url, bytesSent, pulls }: ReplayRepository): Promise<WarmCheck[]> {
  const clone = await mkdtemp(join(tmpdir(), 'plat-replay-'));
  try {
    await git(clone, ['init', '--quiet', '--bare', '.']);
    await git(clone, ['config', 'gc.auto', '0']);
    await git(clone, ['config', 'maintenance.auto', 'false']);
    const checks: WarmCheck[] = [];
    for (const [index, { parent, source, branches }] of [...pulls].reverse().entries()) {
      const fetch = (...names: string[]) =>
        git(clone, [
          'fetch',
          '--quiet',
          '--no-tags',
          url,
          ...names.map((name) => `+refs/heads/${name}:refs/${name}`),
        ]);
      if (index % PACKS === 0) await git(clone, ['repack', '-a', '-d', '--quiet']);
      await fetch(branches.before);
      const before = bytesSent();
      const startedAt = performance.now();
      await fetch(branches.landed, branches.source);
      await git(clone, ['merge-tree', '--write-tree', '--no-messages', parent, source]).catch(() => '');
      const seconds = (performance.now() - startedAt) / 1000;
      checks.unshift({ seconds, bytes: bytesSent() - before });
    }
    return checks;
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}
