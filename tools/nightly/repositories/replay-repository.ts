import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { git, serveGit } from '@plat/testing';
import type { MergedPull } from './pulls';

/** A pull request with the branches by which its landing is asked for. */
export interface ReplayedPull extends MergedPull {
  /** The judged commit: the landed one, or the squash that a merge commit could have been. */
  judged: string;
  branches: { source: string; landed: string; before: string; later: string };
}

/** Branches for many landings at once, over the objects of an existing clone, which is only read. */
export interface ReplayRepository {
  directory: string;
  /** Its address, over http as a git host serves it. */
  url: string;
  /** Bytes that were sent of it so far. */
  bytesSent(): number;
  pulls: ReplayedPull[];
  remove(): Promise<void>;
}

/** Settings that the git hosts have too. */
const HOST_SETTINGS = ['uploadpack.allowFilter=true', 'uploadpack.allowAnySHA1InWant=true'];

export async function replayRepository(
  clone: string,
  pulls: readonly MergedPull[],
): Promise<ReplayRepository> {
  const root = await mkdtemp(join(tmpdir(), 'plat-replay-'));
  const server = await serveGit(root, { config: HOST_SETTINGS });
  const directory = join(root, 'replay.git');
  const remove = async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  };
  try {
    await git(root, ['init', '--quiet', '--bare', directory]);
    const objects = await git(resolve(clone), ['rev-parse', '--git-path', 'objects']);
    await writeFile(join(directory, 'objects', 'info', 'alternates'), `${resolve(clone, objects)}\n`);
    const replayed: ReplayedPull[] = [];
    for (const pull of pulls) replayed.push(await prepare(directory, pull));
    const refs = replayed.flatMap(({ branches, judged, source, parent, later }) => [
      `create refs/heads/${branches.source} ${source}\n`,
      `create refs/heads/${branches.landed} ${judged}\n`,
      `create refs/heads/${branches.before} ${parent}\n`,
      `create refs/heads/${branches.later} ${later}\n`,
    ]);
    await git(directory, ['update-ref', '--stdin'], { input: refs.join('') });
    await git(directory, ['pack-refs', '--all']);
    const { origin, bytesSent } = server;
    return { directory, url: `${origin}/replay.git`, bytesSent, pulls: replayed, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function prepare(directory: string, pull: MergedPull): Promise<ReplayedPull> {
  const { how, landed, parent, number } = pull;
  const squash = ['commit-tree', `${landed}^{tree}`, '-p', parent, '-m', 'squash'];
  const judged = how === 'squash' ? landed : await git(directory, squash);
  const branch = (name: string) => `${name}/${number}-${landed.slice(0, 7)}`;
  const branches = {
    source: branch('source'),
    landed: branch('landed'),
    before: branch('before'),
    later: branch('later'),
  };
  return { ...pull, judged, branches };
}
