import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's folder, searched from where this code runs: its sources, or a bundle below `dist`. */
export function workspaceRoot(from: string = __dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'nx.json'))) return folder;
    if (folder === dirname(folder)) {
      throw new Error(`${from} is not inside the repository: no nx.json above it.`);
    }
  }
}
