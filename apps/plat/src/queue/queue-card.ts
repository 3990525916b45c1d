import type { MergeQueueStatus } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import { durationText, estimateText, paceText, slotText, type TimeText } from './queue-words';

/** The slot of a queue and its pace, for a person. */
export function queueCard(status: MergeQueueStatus, time: TimeText): string {
  const { targetBranch, repository, version, slot, pace, divergent = [] } = status;
  const where = repository === undefined ? targetBranch : `${targetBranch} of ${repository}`;
  const lines: [string, string | undefined][] = [
    ['queue', `${where}, version ${version}`],
    ...divergent.map(({ reviewId, name, landedAt }): [string, string] => [
      'DIVERGENT',
      `"${name}", MERGED ${time(landedAt)}, is not what was reviewed: plat review show ${reviewId}`,
    ]),
    ['slot', slotText(slot, pace, time)],
    ['health', slot.health],
    ['estimate', slot.estimate && estimateText(slot.estimate, time)],
    ['pace', paceText(pace)],
    ['estimates', errorsText(pace)],
  ];
  return lines
    .flatMap(([title, text]) => (text === undefined ? [] : [printableLine(`${title.padEnd(9)}  ${text}`)]))
    .join('\n');
}

/** How good last week's estimates were; undefined if there were none. */
function errorsText({ errors }: MergeQueueStatus['pace']): string | undefined {
  if (!errors) return undefined;
  const { estimates, medianSeconds, withinRange } = errors;
  return `${withinRange} of last week's ${estimates} were within their range; median error ${durationText(medianSeconds)}`;
}
