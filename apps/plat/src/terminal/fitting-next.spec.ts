import { Failure } from './failure';
import { withFittingNext } from './fitting-next';

describe('the next step of a command', () => {
  const next = (text: string, flags: string[]) =>
    withFittingNext(new Failure('NO_COMMIT', 'No.', { next: text, details: { a: 1 } }), flags).next;

  it('keeps a flag that the command has', () => {
    const text = 'repeat the command with --repository <remote>';
    expect(next(text, ['repository'])).toBe(text);
  });

  it.each([
    ['repeat the command with --repository <remote>', 'git remote set-url origin <full remote address>'],
    ['add --source-branch <branch>', 'git switch <branch>'],
    ['switch to the branch, or add --source-branch <branch>', 'git switch <branch>'],
    ['repeat the command with --target-branch <branch>', 'let the administrators of origin name'],
    ['add --commit-id <commit>', 'make a commit'],
  ])('offers another way where the command has no such flag: %s', (text, way) => {
    const fitting = next(text, ['json']);
    expect(fitting).toContain(way);
    expect(fitting).not.toContain('--');
  });

  it('leaves flags of other commands alone, and the rest of the failure', () => {
    const text = 'plat review create --name <text>; or: plat exec push --commit-id abc';
    expect(next(text, [])).toBe(text);
    const failure = new Failure('NO_COMMIT', 'No.', {
      next: 'add --commit-id <commit>',
      details: { a: 1 },
      exitCode: 127,
    });
    expect(withFittingNext(failure, [])).toMatchObject({
      code: 'NO_COMMIT',
      message: 'No.',
      exitCode: 127,
      details: { a: 1 },
    });
  });
});
