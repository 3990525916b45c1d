import { mkdir } from 'node:fs/promises';
import { serveGit } from '@plat/testing';
import { flag, text, UsageError, wholeNumber } from '../options';
import { partOf, progress } from '../part';
import { cases, reviewPlans } from './cases';
import { hostileTable, measureHostile } from './hostile';
import { measure, type Measured } from './measure';
import { measureNeighbours } from './neighbours';
import { boundsTable, casesTable } from './report';
import { benchRepository, keptRepositories } from './repository';
import { buildSubject } from './subject';

const SIZES = [1_000, 10_000, 100_000];

/** Verifications of repositories of several sizes, served by `git http-backend` on loopback, next to the git command. */
export const verifierPart = partOf(
  'verifications compared with the git command: time, bytes, memory, event loop, neighbours',
  {
    rounds: wholeNumber('rounds of each case', 3),
    commits: wholeNumber(`a repository of this size only; 0: ${SIZES.join(', ')}`, 0, 0),
    only: text('only the cases whose name contains it, and nothing else'),
    hostile: flag('hostile answers only'),
  },
  async ({ rounds, commits, only, hostile }, signal) => {
    if (only !== undefined && !cases.some(({ name }) => name.includes(only))) {
      throw new UsageError(`no case's name contains "${only}"`);
    }
    const sizes = commits === 0 ? SIZES : [commits];
    await buildSubject();
    if (!hostile) await measureCases({ rounds, sizes, only }, signal);
    if (only !== undefined) return;
    await mkdir(keptRepositories, { recursive: true });
    const server = await serveGit(keptRepositories);
    try {
      progress('hostile answers');
      process.stdout.write(hostileTable(await measureHostile(server, signal)));
    } finally {
      await server.close();
    }
  },
);

async function measureCases({ rounds, sizes, only = '' }: Given, signal: AbortSignal): Promise<void> {
  const repositories = [];
  for (const commits of sizes) {
    progress(`repository of ${commits} commits`);
    repositories.push(await benchRepository(commits, reviewPlans));
  }
  const server = await serveGit(keptRepositories);
  try {
    const all: Measured[] = [];
    for (const repository of repositories) {
      const measured: Measured[] = [];
      const chosen = cases.filter(({ depth, name }) => depth < repository.depth && name.includes(only));
      for (const asked of chosen) {
        progress(`${repository.commits} commits: ${asked.name}`);
        measured.push(await measure(asked, { repository, server }, { rounds, signal }));
      }
      process.stdout.write(`${repository.commits} commits\n${casesTable(measured)}\n`);
      all.push(...measured);
    }
    if (only !== '') return;
    progress('one tenant next to hostile remotes of another');
    const neighbours = await measureNeighbours({ repository: repositories[0]!, server }, signal);
    process.stdout.write(`${boundsTable(all, neighbours)}\n`);
  } finally {
    await server.close();
  }
}

interface Given {
  rounds: number;
  sizes: number[];
  /** Part of the names of the cases to measure; undefined: everything is measured. */
  only?: string | undefined;
}
