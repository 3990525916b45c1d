import type { History } from './build';
import type { Entry } from './content';

const PREFACE_LINES = 60;

/**
 * The same history, but with no file like one at another path: most of each file's bytes are lines of its path alone.
 * So git finds no renames in it. (`merge.renames=false` says the same, but `git merge-tree` does not listen.)
 */
export function withUnlikeFiles(history: History): History {
  const commits = history.commits.map((commit) => ({ ...commit, content: withPrefaces(commit.content) }));
  return { ...history, commits };
}

function withPrefaces(content: ReadonlyMap<string, Entry>): Map<string, Entry> {
  const entries = [...content].map(([path, entry]): [string, Entry] => [
    path,
    entry.mode === '160000' ? entry : { ...entry, content: prefaceOf(path) + entry.content },
  ]);
  return new Map(entries);
}

/** Each line once, so that no edit could slide into them. */
function prefaceOf(path: string): string {
  return Array.from({ length: PREFACE_LINES }, (_, line) => `preface ${line} of ${path}\n`).join('');
}
