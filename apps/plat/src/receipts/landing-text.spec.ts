import { findingLines, verdictText } from './landing-text';

describe('the places at which a landing differs from the review', () => {
  it('are shown one by one, with the version whose lines are counted', () => {
    expect(
      findingLines({
        contentVerdict: 'DIVERGENT',
        contentReason: 'target_change_undone',
        builtOnCommitId: 'a'.repeat(40),
        findings: [
          { kind: 'undone', path: 'src/limits.ts', in: 'target', firstLine: 3, lastLine: 9 },
          { kind: 'altered', path: 'app.ts', in: 'landed', firstLine: 2, lastLine: 2 },
          { kind: 'missing', path: 'new.ts', in: 'source' },
        ],
        findingsLeftOut: 4,
      }),
    ).toEqual([
      `built on ${'a'.repeat(40)}, an older commit of the target`,
      'undone src/limits.ts:3-9, lines of the target before it',
      'altered app.ts:2, lines of the landed file',
      'missing new.ts',
      'and 4 more',
    ]);
  });

  it('are shown for a conflict that a person decided', () => {
    const findings = [
      { kind: 'by_hand' as const, path: 'app.ts', in: 'landed' as const, firstLine: 5, lastLine: 204 },
    ];
    expect(findingLines({ contentVerdict: 'BY_HAND', findings })).toEqual([
      'decided by hand app.ts:5-204, lines of the landed file',
    ]);
  });

  it('are shown with the commit that brought a part before', () => {
    const findings = [{ kind: 'earlier' as const, path: 'app.ts', commitId: 'b'.repeat(40) }];
    expect(findingLines({ contentVerdict: 'BY_HAND', findings })).toEqual([
      `brought before app.ts, by ${'b'.repeat(40)}`,
    ]);
  });

  it('are none in a receipt of the first version', () => {
    expect(findingLines({ contentVerdict: 'EXACT' })).toEqual([]);
    expect(verdictText({ contentVerdict: 'EXACT' })).toBe('EXACT');
    expect(verdictText({ contentVerdict: 'UNKNOWN', contentReason: 'octopus' })).toBe('UNKNOWN (octopus)');
  });

  it('cannot move the cursor of a terminal', () => {
    const findings = [{ kind: 'extra' as const, path: 'a\u001b[2Jb\nc' }];
    expect(findingLines({ contentVerdict: 'DIVERGENT', findings })).toEqual(['extra a [2Jb c']);
  });
});
