import type { History } from './build';
import type { Entry } from './content';

const PREFACE_LINES = 60;

/**
 * The same history without any similar files at different paths: most bytes of each file are lines that name its path.
 * git then finds no renames. (`merge.renames=false` would have the same effect, but `git merge-tree` ignores it.)
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

/** Different lines, so that no edit can slide into them. */
function prefaceOf(path: string): string {
  return Array.from({ length: PREFACE_LINES }, (_, line) => `preface ${line} of ${path}\n`).join('');
}
