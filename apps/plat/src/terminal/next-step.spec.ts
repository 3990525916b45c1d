import { listOf, nextStep } from './next-step';

const BRANCH = 'x;touch${IFS}pwned;';

describe('the next step', () => {
  it('quotes each word from outside, and leaves our own text as it is', () => {
    expect(nextStep('put the review back: plat drive --target-branch', [BRANCH], '--give-up')).toBe(
      `put the review back: plat drive --target-branch 'x;touch\${IFS}pwned;' --give-up`,
    );
    expect(nextStep('plat exec gate-merge --source <first>')).toBe('plat exec gate-merge --source <first>');
    expect(nextStep(['git', '-C', "it's", 'switch', '<x>'])).toBe(`git -C 'it'\\''s' switch '<x>'`);
  });

  it('joins its parts by spaces, except before punctuation of ours', () => {
    expect(nextStep('run', ['.plat'], '; or (', ['./a'], ')', undefined, ', then', nextStep('repeat'))).toBe(
      'run .plat; or (./a), then repeat',
    );
    expect(nextStep([''], [], '')).toBe(`''`);
  });

  it('quotes each name of a list, and what zsh would take for a path', () => {
    expect(nextStep('name one of', listOf(['a', 'b c', '$d']))).toBe(`name one of a, 'b c', '$d'`);
    expect(nextStep('plat api', ['=ls', '~'])).toBe(`plat api '=ls' '~'`);
  });

  it('takes, by its types, no text of which the compiler does not know every character', () => {
    const branch: string = BRANCH;
    const steps = [
      // @ts-expect-error -- a string may come from outside
      nextStep('plat drive --target-branch', branch),
      // @ts-expect-error -- so may a part of a template
      nextStep(`plat drive --target-branch ${branch}`),
    ];
    expect(steps.map((step) => step.includes(`'`))).toEqual([false, false]);
    expect(nextStep('a', branch === '' ? 'b' : 'c', branch === '' ? undefined : [branch])).toContain(`'`);
  });
});
