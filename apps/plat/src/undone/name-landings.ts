import { type ApiClient, ApiFault, listReviews, type Review } from '@plat/api-client';
import type { Git } from '../git/git';
import { listed } from '../git/listed';
import { instantOf } from '../landings/target-history';
import { printableLine } from '../terminal/printable';
import type { EarlierLanding } from './undone-report';

/**
 * Reads whose the commits of earlier landings are: from git, and from the platform which reviews merged with them.
 *
 * @param api absent if the platform is not asked
 */
export async function nameLandings(
  git: Git,
  commitIds: readonly string[],
  api: ApiClient | undefined,
): Promise<Map<string, EarlierLanding>> {
  if (commitIds.length === 0) return new Map();
  const format = ['--format=%H%n%ct%n%an%n%s', '--no-walk=unsorted', '--no-show-signature', '--no-notes'];
  const entries = listed(await git.run(['log', '-z', ...format, ...commitIds, '--']));
  const named = entries.map(async (entry): Promise<[string, EarlierLanding]> => {
    const [commitId = '', seconds = '', author = '', ...subject] = entry.split('\n');
    const [review] = api ? await listMergedWith(api, commitId) : [];
    const landing = {
      commitId,
      reviewId: review?.reviewId,
      issueRef: review?.issueRef,
      reviewName: printableLine(review?.name ?? subject.join(' ')),
      author: printableLine(author),
      landedAt: instantOf(Number(seconds)),
    };
    return [commitId, landing];
  });
  return new Map(await Promise.all(named));
}

/** The review that merged with a commit. The name is for a reader, so that a refusal costs the name alone. */
async function listMergedWith(api: ApiClient, mergedCommitId: string): Promise<Review[]> {
  try {
    return await listReviews(api, { query: { mergedCommitId } });
  } catch (error) {
    if (error instanceof ApiFault) return [];
    throw error;
  }
}
