import { rememberWaiting } from '../sealed-log/waiting-memory';
import type { Acquaintance } from './compare-landings';
import { SEALING_MILLISECONDS_MAX } from './recent-receipts';
import type { TargetHistory } from './target-history';

/**
 * Takes back that a receipt is recent, if this client saw it wait so long ago that it must be sealed by now.
 *
 * @param known by commit
 */
export async function withoutOverdue(
  configFolder: string,
  { repository, targetBranch }: Pick<TargetHistory, 'repository' | 'targetBranch'>,
  known: ReadonlyMap<string, Acquaintance>,
): Promise<Map<string, Acquaintance>> {
  const recent = [...known].filter(([, { isRecent }]) => isRecent).map(([commitId]) => commitId);
  const judged = new Map(known);
  if (recent.length === 0) return judged;
  const firstSeen = await rememberWaiting(configFolder, `landings\n${repository}\n${targetBranch}`, recent);
  for (const commitId of recent) {
    const waited = Date.now() - (firstSeen[commitId] ?? 0);
    if (waited <= SEALING_MILLISECONDS_MAX) continue;
    const { isRecent: _, ...facts } = known.get(commitId)!;
    const minutes = Math.floor(waited / 60_000);
    const detail = `its receipt waited for its seal when this client looked ${minutes} minutes ago; ${facts.detail}`;
    judged.set(commitId, { ...facts, detail });
  }
  return judged;
}
