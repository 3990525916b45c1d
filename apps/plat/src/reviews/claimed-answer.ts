import { Failure } from '../terminal/failure';
import type { NextStep } from '../terminal/next-step';

/**
 * Refuses a success whose answer contradicts it, such as a report of a merge that leaves the review at MERGE, so that a
 * command claims only what it has read. Claims that are undefined are not compared.
 *
 * @throws Failure ANSWER_CONTRADICTS; whether the call acted is unknown
 */
export function requireClaimed<Answer extends object>(
  answer: Answer,
  claimed: Partial<Answer>,
  next: NextStep,
): Answer {
  for (const field of Object.keys(claimed) as (keyof Answer & string)[]) {
    const [found, expected] = [answer[field], claimed[field]];
    if (expected === undefined || found === expected) continue;
    const said = found === undefined ? 'without' : `with ${JSON.stringify(found)} as`;
    throw new Failure(
      'ANSWER_CONTRADICTS',
      `The platform answered with success, but ${said} ${field}, not with ${JSON.stringify(expected)}. Whether it acted is unknown.`,
      { details: { field, found, expected }, next },
    );
  }
  return answer;
}
