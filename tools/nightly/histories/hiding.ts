import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '@plat/testing';
import type { HistoriesRepository } from './repository';

/** How a server may show a history that differs from the parents that its commits name. */
export const HIDINGS = ['nothing', 'shallow', 'replaced', 'grafted'] as const;
export type Hiding = (typeof HIDINGS)[number];

/** For each fifth commit the server shows other parents. */
const EVERY = 5;

/** Changes the history that the server shows, but not the commits, so git's earlier results stay true. */
export async function hide(hiding: Hiding, { directory, ids }: HistoriesRepository): Promise<void> {
  // Histories with the same beginning share their first commits.
  const chosen = [...new Set(ids.flat())].filter((_, index) => index % EVERY === 0);
  switch (hiding) {
    case 'nothing':
      return;
    case 'shallow':
      // The server leaves out the ancestors, as in a clone with a depth.
      return writeFile(join(directory, 'shallow'), chosen.map((id) => `${id}\n`).join(''));
    case 'grafted':
      return writeFile(join(directory, 'info', 'grafts'), grafts(chosen, ids));
    case 'replaced': {
      const others = await rewritten(directory, chosen);
      const refs = chosen.map((id, index) => `create refs/replace/${id} ${others[index]}\n`);
      await git(directory, ['update-ref', '--stdin'], { input: refs.join('') });
    }
  }
}

/** Gives each chosen commit the three before it in its history as parents, so that content seems to have landed. */
function grafts(chosen: readonly string[], ids: readonly string[][]): string {
  const rows = chosen.map((id) => {
    const history = ids.find((each) => each.includes(id)) ?? [];
    const older = history.filter((_, index) => index < history.indexOf(id));
    return `${[id, ...older.slice(-3)].join(' ')}\n`;
  });
  return rows.join('');
}

/** The same commits without parents. */
async function rewritten(directory: string, chosen: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const id of chosen) {
    made.push(await git(directory, ['commit-tree', `${id}^{tree}`, '-m', `instead of ${id}`]));
  }
  return made;
}
