import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { git } from '@plat/testing';
import { HistoryStream, type Review, type ReviewPlan } from './history-stream';

/** Raise it when `HistoryStream` writes something else, so that no repository of a former run is used. */
const VERSION = 2;

/**
 * Where repositories are kept between runs: a hundred thousand commits take half a minute to make. In the temporary directory
 * another user could put one there, whose settings git would read.
 */
export const keptRepositories = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'plat',
  'bench-repositories',
);

export interface BenchRepository {
  /** Its folder below `keptRepositories`, a bare repository. */
  name: string;
  directory: string;
  commits: number;
  /** Commits along first parents from the tip of `main` to the first one. */
  depth: number;
  /** The commit that is `count` first parents behind the tip of `main`. */
  back(count: number): Promise<string>;
}

/** Makes the repository, or takes the kept one: packed, with bitmaps and a commit graph, as a forge keeps it. */
export async function benchRepository(
  commits: number,
  reviews: ReadonlyMap<Review, ReviewPlan>,
): Promise<BenchRepository> {
  const name = `v${VERSION}-${commits}.git`;
  const directory = join(keptRepositories, name);
  if (!(await isThere(directory))) await make(directory, new HistoryStream(commits, reviews));
  const depth = Number(await git(directory, ['rev-list', '--count', '--first-parent', 'main']));
  const back = (count: number) => git(directory, ['rev-parse', `main~${count}`]);
  return { name, directory, commits, depth, back };
}

async function make(directory: string, history: HistoryStream): Promise<void> {
  await mkdir(keptRepositories, { recursive: true });
  const making = await mkdtemp(join(keptRepositories, 'making-'));
  try {
    await git(making, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
    await git(making, ['config', 'uploadpack.allowFilter', 'true']);
    await git(making, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
    const importing = spawn('git', ['fast-import', '--quiet', '--done'], {
      cwd: making,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const ended = once(importing, 'exit');
    await pipeline(Readable.from(history.chunks()), importing.stdin);
    await ended;
    // Since 2.41 git does this by itself.
    await git(making, ['config', 'pack.writeReverseIndex', 'true']);
    await git(making, ['repack', '-a', '-d', '-q', '--write-bitmap-index']);
    await git(making, ['commit-graph', 'write', '--reachable']);
    await rename(making, directory);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
