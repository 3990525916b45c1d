import type { ApiClient } from '@plat/api-client';
import { findUndone, isSaidRevert, type MadeMerge, type UndoneOptions } from '../before-push/find-undone';
import type { Git } from '../git/git';
import { nameLandings } from './name-landings';
import type { NamedFinding, UndoneReport } from './undone-report';

export interface Asked extends UndoneOptions {
  /** Absent if the platform is not asked whose the landings are. */
  api?: ApiClient | undefined;
  /** Reads the texts in which the review says what it reverts; asked only if something is taken back. */
  texts(): Promise<readonly string[]>;
}

/**
 * Reports the work of earlier landings that a merge would take back, with whose it is, and apart from what the review says it
 * reverts.
 *
 * @returns the reason if it cannot be determined
 * @throws Failure GIT_FAILED
 */
export async function reportUndone(
  git: Git,
  merge: MadeMerge,
  { api, texts, ...options }: Asked,
): Promise<UndoneReport | { unknown: string }> {
  const work = await findUndone(git, merge, options);
  if ('unknown' in work) return work;
  const { findings, findingsLeftOut, revertedIds, revertLines, window } = work;
  if (findings.length === 0) return { findings: [], reverts: [], window };
  const landings = await nameLandings(git, [...new Set(findings.map(({ commitId }) => commitId))], api);
  const named = findings.flatMap((finding): NamedFinding[] => {
    const landing = landings.get(finding.commitId);
    return landing ? [{ ...landing, ...finding }] : [];
  });
  const said = { texts: [...(await texts()), ...revertLines], revertedIds };
  const reverts = named.filter((finding) => isSaidRevert(finding, said));
  return {
    findings: named.filter((finding) => !reverts.includes(finding)),
    findingsLeftOut,
    reverts,
    window,
  };
}
