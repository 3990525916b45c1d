import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../references/repository.mjs';
import { circlesOf, sourcesOf } from './rooms.mjs';

/** Prints each circle of rooms with its imports, and fails if there is one, or if no project is read at all. */
const root = join(import.meta.dirname, '..', '..', '..');
const files = filesOf(root)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const projects = sourcesOf(files);
const found = projects.flatMap((sources) =>
  circlesOf(sources, files).map((circle) => ({ sources, ...circle })),
);
for (const { sources, rooms, imports } of found) {
  process.stdout.write(`${sources}: ${rooms.join(', ')} import each other\n`);
  process.stdout.write(imports.map((line) => `  ${line}\n`).join(''));
}
process.stdout.write(`${projects.length} projects, ${found.length} circles\n`);
process.exitCode = found.length === 0 && projects.length > 0 ? 0 : 1;
