import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { isLoopback } from '../config/service-address';
import { type Git, gitFailure, gitIn } from '../git/git';
import { halfOfFreeSpace, watchPacks } from '../git/pack-watch';

/** The caller's own clone of the repository, with the caller's credentials, in a folder that is removed afterwards. */
export interface ReceiptClone {
  git: Git;
  /** The current tip of the target branch. */
  targetTip: string;
  /** The current tip of the source branch; undefined if it does not exist. */
  sourceBranchTip: string | undefined;
  remove(): Promise<void>;
}

/** The repository to read. */
export interface ReceiptRemote {
  url: string;
  /** Whether the caller named it, and not the receipt. */
  isGiven: boolean;
  /** Most bytes that it may send; default half of what the disk has free. */
  bytesMax?: number | undefined;
}

/** Longest silence of a remote over ssh, of which git sets none. git may work on what it received meanwhile. */
const SILENT_MILLISECONDS_MAX = 30 * 60_000;

/** A remote over HTTP may be silent for minutes while it counts objects, but not for ever. */
const SETTINGS = [
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialclonefilter', 'blob:none'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '180'],
  // All that is received is then in packs, whose size is bounded.
  ['fetch.unpackLimit', '1'],
] as const;

/**
 * Clones the target branch, and fetches the reviewed source. Files are fetched when they are compared, if the server
 * supports that.
 *
 * @throws Failure GIT_FAILED, GIT_NOT_RUNNABLE, GIT_OUTPUT_TOO_LARGE, REMOTE_TOO_LARGE, REMOTE_SILENT
 */
export async function cloneForReceipt(
  { targetBranch, sourceBranch, sourceTip }: MergeReceipt,
  remote: ReceiptRemote,
  interrupted: AbortSignal,
): Promise<ReceiptClone> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-receipt-'));
  let endWatch = () => Promise.resolve();
  const remove = async () => {
    await endWatch();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const variables = { GIT_ALLOW_PROTOCOL: allowedProtocols(remote), GIT_DIR: folder };
    const { bytesMax = await halfOfFreeSpace(folder) } = remote;
    const bounds = { bytesMax, silentMilliseconds: SILENT_MILLISECONDS_MAX };
    const packs = watchPacks(join(folder, 'objects', 'pack'), bounds);
    const git = gitIn(folder, AbortSignal.any([interrupted, packs.signal]), variables);
    await git.run(['init', '--quiet', '--bare', '.']);
    await git.run(['remote', 'add', 'origin', '--', remote.url]);
    for (const [key, value] of SETTINGS) await git.run(['config', key, value]);
    await packs.watch(async () => {
      const target = fetchOf(`+refs/heads/${targetBranch}:refs/plat/target`);
      const answer = await git.try(target);
      if (answer.code !== 0) throw gitFailure(target, answer);
      // The branch may be gone, but the commit may still be on the server.
      await git.try(fetchOf(`+refs/heads/${sourceBranch}:refs/plat/source`));
      if (sourceTip !== undefined && !(await hasCommit(git, sourceTip))) await git.try(fetchOf(sourceTip));
    });
    endWatch = packs.watchSize();
    const targetTip = (await git.run(['rev-parse', 'refs/plat/target'])).trim();
    const branch = await git.try(['rev-parse', '--verify', '--quiet', 'refs/plat/source']);
    return { git, targetTip, sourceBranchTip: branch.stdout.trim() || undefined, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * The transports that git may use, in the form of GIT_ALLOW_PROTOCOL, which overrides all settings. A receipt comes from
 * a service that is not trusted, so it cannot have git run a remote helper, nor read over a network without encryption.
 * It may name a remote that the caller's own settings rewrite (`url.<base>.insteadOf`), so ssh and https are always
 * allowed.
 */
function allowedProtocols({ url, isGiven }: ReceiptRemote): string {
  const isHere = URL.canParse(url) && isLoopback(new URL(url).hostname);
  return ['https', 'ssh', 'file', ...(isGiven || isHere ? ['http'] : []), ...(isGiven ? ['git'] : [])].join(
    ':',
  );
}

const fetchOf = (refspec: string): string[] => [
  'fetch',
  '--quiet',
  '--no-tags',
  '--filter=blob:none',
  'origin',
  refspec,
];

/** Whether the commit is in the clone already. Fetches nothing. */
export async function hasCommit(git: Git, commitId: string): Promise<boolean> {
  const known = await git.try(['rev-list', '--no-walk', '--exclude-promisor-objects', commitId]);
  return known.code === 0;
}
