import { readPrintedWays } from './printed-steps';

describe('the ways that a next step prints', () => {
  it('are its commands, and what is done after them', () => {
    expect(
      readPrintedWays(
        'keep them: git branch kept-1 1, then repeat the command; or put the review back: plat drive --target-branch main --give-up',
      ),
    ).toEqual([
      { commands: ['git branch kept-1 1'], repeats: true },
      { commands: ['plat drive --target-branch main --give-up'], repeats: false },
    ]);
  });

  it('keep quoted words whole', () => {
    const next = "wait: plat review wait 1; if 'a; or b' is gone: plat drive --gate-command 'x; or y, z'";
    expect(readPrintedWays(next)).toEqual([
      { commands: ['plat review wait 1'], repeats: false },
      { commands: ["plat drive --gate-command 'x; or y, z'"], repeats: false },
    ]);
  });

  it('have no command that a placeholder leaves open', () => {
    expect(readPrintedWays('plat review requeue <review_id>')).toEqual([{ commands: [], repeats: false }]);
  });
});
