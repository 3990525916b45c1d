import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files that are written from a single source elsewhere in the repository. */
export interface Artefact {
  name: string;
  /** A folder that holds nothing but this artefact's files. Files that are no longer rendered are removed from it. */
  folder?: string;
  /** The files' contents, by path from the repository's root. */
  render(): Promise<Record<string, string>> | Record<string, string>;
}

/** Writes what changed, each file whole or not at all. @returns the paths written or removed. */
export async function write(root: string, artefact: Artefact): Promise<string[]> {
  const files = await artefact.render();
  const changed: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    if ((await contentOf(join(root, path))) === content) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, `${path}.new`), content);
    await rename(join(root, `${path}.new`), join(root, path));
    changed.push(path);
  }
  for (const path of await strays(root, artefact, files)) {
    await rm(join(root, path));
    changed.push(path);
  }
  return changed;
}

/** The files that differ from the rendered ones, one line each, with the first differing line. */
export async function findDrift(root: string, artefact: Artefact): Promise<string[]> {
  const files = await artefact.render();
  const found: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    const present = await contentOf(join(root, path));
    if (present === undefined) found.push(`${path} is missing`);
    else if (present !== content) found.push(`${path} differs at ${firstDifference(present, content)}`);
  }
  for (const path of await strays(root, artefact, files)) found.push(`${path} should not be there`);
  return found;
}

async function strays(root: string, { folder }: Artefact, files: Record<string, string>): Promise<string[]> {
  if (folder === undefined) return [];
  const names = await readdir(join(root, folder)).catch(() => []);
  return names.map((name) => `${folder}/${name}`).filter((path) => !(path in files));
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function firstDifference(present: string, wanted: string): string {
  const [presentLines, wantedLines] = [present.split('\n'), wanted.split('\n')];
  const index = wantedLines.findIndex((line, i) => line !== presentLines[i]);
  const at = index < 0 ? wantedLines.length : index;
  return `line ${at + 1}: ${JSON.stringify(presentLines[at] ?? '')} should be ${JSON.stringify(wantedLines[at] ?? '')}`;
}
