import type { HistoryTruths, Judged } from './judge-histories';
import type { Truth } from './oracle';

/**
 * The comparison of an answer with git's result. Each `refused: …` is a landing that is refused for a known reason;
 * docs/verification.md explains it and gives the remedy.
 */
export type Comparison =
  'right' | 'FALSE ACCEPT' | 'UNEXPLAINED REFUSAL' | 'refused: a rename' | 'refused: hidden by the server';

/** Condition B. */
export function compareHistory({ hiding, history: { truths, answer } }: Judged): Comparison {
  const landed = landingOf(truths);
  if (answer.verified) {
    const { proof } = answer.landing;
    const supported = proof === 'ancestor' ? landed === 'ancestor' : landed.startsWith('carried');
    return supported ? 'right' : 'FALSE ACCEPT';
  }
  switch (landed) {
    case 'unrelated':
    case 'empty':
    case 'lacking':
    // A merge by any diff conflicts here, so the landing is known only from the history's construction.
    case 'carried, by construction': {
      const expected = landed === 'unrelated' ? 'unrelated_history' : 'not_landed';
      return answer.reason === expected || hiding !== 'nothing' ? 'right' : 'UNEXPLAINED REFUSAL';
    }
    default:
      if (hiding !== 'nothing') return 'refused: hidden by the server';
      return landed.startsWith('carried, ') ? 'refused: a rename' : 'UNEXPLAINED REFUSAL';
  }
}

export type Landing = Truth | 'carried, with renames' | 'carried, by path' | 'carried, by construction';

/** Combines the three results into the strictest one that finds the source carried. */
export function landingOf({ git, byPath, byConstruction }: HistoryTruths): Landing {
  if (git === 'carried') return byPath === 'carried' ? 'carried' : 'carried, with renames';
  if (git !== 'lacking') return git;
  if (byPath === 'carried') return 'carried, by path';
  return byConstruction ? 'carried, by construction' : 'lacking';
}

/** Condition A is exact: the verifier refuses what git refuses, for the same reason. */
export function compareQueue({ hiding, queue: { truth, answer } }: Judged): Comparison {
  const found = answer.verified ? 'verified' : answer.reason;
  if (found === truth) return 'right';
  if (answer.verified) return 'FALSE ACCEPT';
  return hiding === 'nothing' ? 'UNEXPLAINED REFUSAL' : 'refused: hidden by the server';
}
