import { tmpdir } from 'node:os';
import * as fc from 'fast-check';
import { git, GitCommandFailed } from '@plat/testing';
import { isBranchName } from './branch-name';
import { BRANCH_LENGTH_MAX } from './text';

describe('isBranchName', () => {
  it.each([
    'main',
    'feature/12-x',
    'a.b',
    'a@b',
    '@/a',
    '{',
    'é/ü',
    'a.lock.b',
    'refs/heads/x',
    'x'.repeat(255),
  ])('accepts %j', (name) => expect(isBranchName(name)).toBe(true));

  it.each([
    ...[
      '',
      '-',
      '-x',
      '--upload-pack=x',
      '@',
      'HEAD',
      'a..b',
      'a@{b',
      '@{-1}',
      'a.lock',
      'a.lock/b',
      '.a',
      'a/.b',
      'a.',
    ],
    ...[
      '/a',
      'a/',
      'a//b',
      'a b',
      'a~b',
      'a^b',
      'a:b',
      'a?b',
      'a*b',
      'a[b',
      'a\\b',
      'a\0b',
      'a\nb',
      'a\x7fb',
      'a\ud800',
    ],
    'x'.repeat(BRANCH_LENGTH_MAX + 1),
  ])('refuses %j', (name) => expect(isBranchName(name)).toBe(false));

  it('says what git check-ref-format says of refs/heads/<name>, leading hyphens and reserved names apart', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '@{',
        '.lock',
        '/',
        '.',
        '@',
        '-',
        'HEAD',
        '~',
        ' ',
        '[',
        '\\',
        'a',
        'ß',
        '{',
        '}',
      ),
      fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme-ascii' }),
    );
    const name = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(name, async (branch) => {
        const reserved = branch.startsWith('-') || branch === '@' || branch === 'HEAD';
        expect(isBranchName(branch)).toBe(!reserved && (await gitAccepts(branch)));
      }),
      { numRuns: 300 },
    );
  });
});

async function gitAccepts(branch: string): Promise<boolean> {
  try {
    await git(tmpdir(), ['check-ref-format', `refs/heads/${branch}`]);
    return true;
  } catch (error) {
    if (error instanceof GitCommandFailed && error.exitCode === 1) return false;
    throw error;
  }
}
