import type { MergeReceipt } from '@plat/api-client';
import { landedUndoneLines } from './landed-undone';

type Work = MergeReceipt['undoneWork'];
type Place = Work['findings'][number];

const NONE: Work = { findings: [], reverts: [], undoneBy: [], revertedBy: [] };
const place: Place = {
  reviewId: 'r1',
  reviewName: 'Check the sender',
  commitId: '1'.repeat(40),
  path: 'app.txt',
  in: 'target',
  firstLine: 4,
  lastLine: 6,
  kind: 'dropped_by_merge',
  certainty: 'sure',
};

describe('undone work of a merge in words', () => {
  it.each<[string, Partial<Work>, string[]]>([
    ['no line if there is none', {}, []],
    [
      'what it took back, and whose it was',
      { findings: [place, { ...place, path: 'b.txt' }], findingsLeftOut: 2 },
      [
        'It took back work of "Check the sender" (review r1):',
        '  sure: app.txt:4-6, lost in a merge of the target, outside of any conflict',
        '  sure: b.txt:4-6, lost in a merge of the target, outside of any conflict',
        '  and 2 more places',
      ],
    ],
    [
      'a landing without a review is named by its commit',
      { findings: [{ ...place, reviewId: undefined, reviewName: undefined, firstLine: undefined }] },
      [
        'It took back work of commit 1111111111:',
        '  sure: app.txt, lost in a merge of the target, outside of any conflict',
      ],
    ],
    [
      'who took back its own work, and who says that they revert it',
      { undoneBy: [place], revertedBy: [{ ...place, reviewId: 'r2', commitId: '2'.repeat(40) }] },
      [
        'Taken back in part by "Check the sender" (review r1):',
        '  sure: app.txt:4-6, lost in a merge of the target, outside of any conflict',
        'Reverted in part by "Check the sender" (review r2):',
        '  sure: app.txt:4-6, lost in a merge of the target, outside of any conflict',
      ],
    ],
    [
      'why it is not known',
      { unknown: 'remote_unreadable' },
      ['Whether it took back work of earlier landings is not known: the repository cannot be read.'],
    ],
    [
      'a name with signs that a terminal obeys is printed without them',
      { undoneBy: [{ ...place, reviewName: 'a\u001b[31mb' }] },
      [
        'Taken back in part by "a [31mb" (review r1):',
        '  sure: app.txt:4-6, lost in a merge of the target, outside of any conflict',
      ],
    ],
  ])('%s', (_, work, lines) => {
    expect(landedUndoneLines({ ...NONE, ...work })).toEqual(lines);
  });
});
