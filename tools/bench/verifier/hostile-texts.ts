import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { git } from '@plat/testing';
import { defaultVerifierCaps } from '@plat/verifier';
import { keptRepositories } from './repository';
import { Seeded } from './seeded';

/** The limits of a file that the verifier compares by lines, and of an object. */
const { diffedFileBytes, diffedFileLines, objectBytes } = defaultVerifierCaps;

/** A file that both sides of a landing changed, as it is in each of their commits. */
export interface HostileTexts {
  name: string;
  base: string;
  /** The target before the landing. */
  ours: string;
  /** The source's commits, the tip last. */
  theirs: readonly string[];
  landed: string;
}

/** As many lines as the limits allow, each made from its number. */
function text(lineOf: (index: number) => string): string {
  const lines: string[] = [];
  for (let bytes = 0, index = 0; bytes < diffedFileBytes - 32 && index < diffedFileLines; index += 1) {
    const line = `${lineOf(index)}\n`;
    lines.push(line);
    bytes += line.length;
  }
  return lines.join('');
}

function versions(name: string, version: (number: number) => string, commits = 1): HostileTexts {
  return {
    name,
    base: version(0),
    ours: version(1),
    landed: version(2),
    theirs: Array.from({ length: commits }, (_, index) => version(index + 3)),
  };
}

/** Files that differ everywhere, files whose lines match many others, and files that are too large to compare. */
export function* hostileTexts(): Generator<HostileTexts> {
  yield versions('lines without content', (number) =>
    text((index) => (index % (97 + number) === 0 ? `${number}` : '')),
  );
  yield versions('a tangle of two lines', (number) => {
    const random = new Seeded(number + 1);
    return text(() => (random.next(2) === 0 ? 'a' : 'b'));
  });
  yield versions('runs of a line, each a bit longer', (number) =>
    text((index) => (index % (120 + number) === 0 ? 'b' : 'a')),
  );
  yield versions('each line 64 times', (number) =>
    text((index) => `line ${(index * (2 * number + 1)) % 6_000}`),
  );
  yield versions('nothing in common', (number) => text((index) => `${number}, line ${index}`));
  yield versions(
    '24 commits of a source',
    (number) => text((index) => `line ${index} ${index % (number + 2) === 0}`),
    24,
  );
  yield versions('as large as an object may be', (number) => `${number}\n`.repeat(objectBytes / 2));
}

export interface HostileLanding {
  /** A folder below `keptRepositories`. */
  repository: string;
  commitId: string;
  remove(): Promise<void>;
}

/** A repository with `main` as it landed, and a branch `source`. */
export async function hostileLanding({ base, ours, theirs, landed }: HostileTexts): Promise<HostileLanding> {
  const directory = await mkdtemp(join(keptRepositories, 'hostile-'));
  await git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  await git(directory, ['config', 'uploadpack.allowFilter', 'true']);
  await git(directory, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
  const child = spawn('git', ['fast-import', '--quiet', '--done'], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stream = [
    commit('main', base),
    'reset refs/heads/source\nfrom refs/heads/main\n\n',
    ...theirs.map((content) => commit('source', content)),
    commit('main', ours),
    commit('main', landed),
    'done\n',
  ];
  await pipeline(Readable.from(stream), child.stdin);
  await ended;
  const commitId = await git(directory, ['rev-parse', 'main']);
  const remove = () => rm(directory, { recursive: true, force: true });
  return { repository: directory.slice(keptRepositories.length + 1), commitId, remove };
}

const commit = (branch: string, content: string): string =>
  `commit refs/heads/${branch}\ncommitter A <a@b> 1000000000 +0000\ndata 1\nx\nM 100644 inline file\ndata ${content.length}\n${content}\n`;
