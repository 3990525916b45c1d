import {
  type ApiClient,
  listBuilds,
  listGateRuns,
  listReviews,
  readPages,
  type Review,
} from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import { printableLine } from '../terminal/printable';
import type { Acquaintance } from './compare-landings';
import { withRecentReceipts } from './recent-receipts';
import type { SealedLandings } from './sealed-landing';
import type { TargetCommit, TargetHistory } from './target-history';

const PAGE_SIZE = '200';

type Acquaintances = Map<string, Acquaintance>;
type Known = Pick<Acquaintance, 'reviewId'> & { name: string; detail: string };

/** Finds commits by what the log itself says: the names of its receipts. */
export function sealedAcquaintances(
  { repository, targetBranch }: Pick<TargetHistory, 'repository' | 'targetBranch'>,
  { landings }: SealedLandings,
) {
  const known = landings
    .filter(({ statement }) => statement.targetBranch === targetBranch)
    .filter(({ statement }) => canonicalRepository(statement.remoteUrl) === repository)
    .map(({ statement: { reviewId, name, landedCommitId, commitId } }): Known => {
      const other = landedCommitId ?? commitId ?? 'no commit';
      return { reviewId, name, detail: `it bears the name of a review whose receipt names ${other}` };
    });
  return async (commits: readonly TargetCommit[]): Promise<Acquaintances> => byName(known, commits);
}

/** Finds commits by what the platform knows: a review of that name, a PASSED gate run, a successful GATE build. */
export function platformAcquaintances(
  api: ApiClient,
  place: Pick<TargetHistory, 'repository' | 'targetBranch'>,
  sealed: SealedLandings,
) {
  return async (commits: readonly TargetCommit[]): Promise<Acquaintances> => {
    const wanted = new Set(commits.map(({ commitId }) => commitId));
    const { repository, targetBranch } = place;
    const reviews = await listReviews(api, { query: { repository, targetBranch } });
    const known = new Map([
      ...(await gateBuilds(api, wanted)),
      ...(await gateRuns(api, targetBranch, wanted)),
      ...(await sealedAcquaintances(place, sealed)(commits)),
      ...byName(
        reviews.map((review) => knownReview(review, sealed)),
        commits,
      ),
    ]);
    return withRecentReceipts(api, commits, known);
  };
}

function knownReview({ reviewId, name, status }: Review, { landings, erased }: SealedLandings): Known {
  const landing = landings.find(({ statement }) => statement.reviewId === reviewId)?.statement;
  const gone = erased.find((one) => one.reviewId === reviewId);
  const named = landing && (landing.landedCommitId ?? landing.commitId ?? 'no commit');
  const why = gone?.why ?? (named === undefined ? 'none is sealed of it' : `its receipt names ${named}`);
  return { reviewId, name, detail: `it bears the name of a review that is ${status}; ${why}` };
}

/** Several reviews may have one name: the last listed counts. */
function byName(known: readonly Known[], commits: readonly TargetCommit[]): Acquaintances {
  const names = new Map(known.map(({ name, ...rest }) => [printableLine(name), rest]));
  return new Map(
    commits.flatMap(({ commitId, subject }) => {
      const review = names.get(subject);
      return review === undefined ? [] : [[commitId, review] as const];
    }),
  );
}

async function gateRuns(
  api: ApiClient,
  targetBranch: string,
  wanted: ReadonlySet<string>,
): Promise<Acquaintances> {
  const found: Acquaintances = new Map();
  const query = { targetBranch, status: 'PASSED' as const, limit: PAGE_SIZE };
  const pages = readPages(api, (cursor) => listGateRuns(api, { query: { ...query, cursor } }));
  for await (const page of pages) {
    for (const { mergeCommit, gateRunId, reviewId } of page.gateRuns) {
      if (mergeCommit === undefined || !wanted.has(mergeCommit)) continue;
      found.set(mergeCommit, { reviewId, gateRunId, detail: `gate run ${gateRunId} has PASSED with it` });
    }
  }
  return found;
}

async function gateBuilds(api: ApiClient, wanted: ReadonlySet<string>): Promise<Acquaintances> {
  const found: Acquaintances = new Map();
  const query = { kind: 'GATE' as const, successful: 'true' as const, limit: PAGE_SIZE };
  const pages = readPages(api, (cursor) => listBuilds(api, { query: { ...query, cursor } }));
  for await (const page of pages) {
    for (const { commitId, buildId, reviewId } of page.builds) {
      if (wanted.has(commitId)) {
        found.set(commitId, { reviewId, buildId, detail: `GATE build ${buildId} was successful with it` });
      }
    }
  }
  return found;
}
