import { execFileSync } from 'node:child_process';

const MAIN = ['main', 'origin/main'];
const STRING = /'([^'\\\n]+)'|"([^"\\\n]+)"|`([^`\n]+)`/g;
/** Shorter words stand in too many files. */
const QUOTE_MIN = 12;

/** Git in a folder, with the person's settings overruled where they change what it prints. */
export function gitIn(root) {
  return (...args) =>
    execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
}

/** The commit that changes count from: the last one that this branch shares with main; HEAD where there is no main. */
export function mergeBase(git) {
  for (const name of MAIN) {
    try {
      return git('merge-base', 'HEAD', name).trim();
    } catch {
      // No branch of that name, or no common commit.
    }
  }
  return 'HEAD';
}

/** The files that differ from the commit, deleted and untracked ones included. */
export function changedFiles(git, base) {
  const listed = git('diff', '--name-only', '-z', '--no-renames', base, '--');
  const untracked = git('ls-files', '-z', '--others', '--exclude-standard');
  return [...new Set(`${listed}${untracked}`.split('\0').filter(Boolean))];
}

/** All files of the repository that git does not ignore. @returns {string[]} */
export function trackedFiles(git) {
  return git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);
}

/** Texts in quotes on the lines that are gone since the commit. A file that quotes one is touched by the change. */
export function removedQuotes(git, base) {
  const diff = git('diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', base, '--');
  const removed = diff.split('\n').filter((line) => /^-(?!--)/.test(line));
  const texts = removed.flatMap((line) =>
    [...line.matchAll(STRING)].flatMap(([, a, b, template]) => a ?? b ?? template.split(/\$\{[^}]*\}/)),
  );
  return [...new Set(texts.map((text) => text.trim()))].filter(
    (text) => text.length >= QUOTE_MIN && text.includes(' '),
  );
}
