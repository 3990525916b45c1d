import type { AskedLanding, LandingStanding } from '@plat/verifier';
import type { LandingsHere } from '../before-push/examine-landings';

/** Landings of one question. */
const BATCH = 32;

/**
 * Asks which parts of landings the target has lost. A question that is too much is asked again with half of its landings.
 *
 * @returns the answers, keyed by the newest commit of each landing
 */
export async function askStanding(
  here: Pick<LandingsHere, 'findStanding'>,
  tip: string,
  landings: readonly AskedLanding[],
): Promise<Map<string, LandingStanding>> {
  const found = new Map<string, LandingStanding>();
  const open: AskedLanding[][] = [];
  for (let start = 0; start < landings.length; start += BATCH) {
    open.push(landings.slice(start, start + BATCH));
  }
  for (let batch = open.shift(); batch !== undefined; batch = open.shift()) {
    const answer = await here.findStanding({ tip, landings: batch });
    const [first] = batch;
    if ('landings' in answer) {
      for (const landing of answer.landings) found.set(landing.commitId, landing);
    } else if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      open.unshift(batch.slice(0, half), batch.slice(half));
    } else if (first !== undefined) {
      found.set(first.commitId, { commitId: first.commitId, lost: [], unknown: answer.unknown });
    }
  }
  return found;
}
