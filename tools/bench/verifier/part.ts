import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serveGit } from '@plat/testing';
import { type Part, progress, UsageError } from '../part';
import { cases, reviewPlans } from './cases';
import { hostileTable, measureHostile } from './hostile';
import { measure, type Measured } from './measure';
import { measureNeighbours } from './neighbours';
import { boundsTable, casesTable } from './report';
import { benchRepository, keptRepositories } from './repository';
import { buildSubject } from './subject';

const SIZES = [1_000, 10_000, 100_000];

/** Verifications of repositories of several sizes, served by `git http-backend` on loopback, beside the git command. */
export const verifierPart: Part = {
  summary: 'verifications beside the git command: time, bytes, memory, event loop, neighbours',
  options: `    --rounds N    rounds of each case (default 3)
    --commits N   a repository of this size only (default ${SIZES.join(', ')})
    --hostile     hostile answers only`,
  async run(args, signal) {
    const { rounds, sizes, hostile } = parseArguments(args);
    await buildSubject();
    if (!hostile) await measureCases({ rounds, sizes }, signal);
    await mkdir(keptRepositories, { recursive: true });
    const server = await serveGit(keptRepositories);
    try {
      progress('hostile answers');
      process.stdout.write(hostileTable(await measureHostile(server, signal)));
    } finally {
      await server.close();
    }
  },
};

async function measureCases(
  { rounds, sizes }: { rounds: number; sizes: number[] },
  signal: AbortSignal,
): Promise<void> {
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
      for (const asked of cases.filter(({ depth }) => depth < repository.depth)) {
        progress(`${repository.commits} commits: ${asked.name}`);
        measured.push(await measure(asked, { repository, server }, { rounds, signal }));
      }
      process.stdout.write(`${repository.commits} commits\n${casesTable(measured)}\n`);
      all.push(...measured);
    }
    progress('one tenant beside hostile remotes of another');
    const neighbours = await measureNeighbours({ repository: repositories[0]!, server }, signal);
    process.stdout.write(`${boundsTable(all, neighbours)}\n`);
  } finally {
    await server.close();
  }
}

function parseArguments(args: string[]): { rounds: number; sizes: number[]; hostile: boolean } {
  const options = {
    rounds: { type: 'string' },
    commits: { type: 'string' },
    hostile: { type: 'boolean' },
  } as const;
  const { rounds = '3', commits, hostile = false } = parse(() => parseArgs({ args, options }).values);
  return {
    hostile,
    rounds: count('rounds', rounds),
    sizes: commits === undefined ? SIZES : [count('commits', commits)],
  };
}

function parse<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!(Number.isSafeInteger(value) && value > 0)) {
    throw new UsageError(`--${name} must be a whole number above 0`);
  }
  return value;
}
