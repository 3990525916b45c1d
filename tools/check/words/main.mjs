import { join } from 'node:path';
import { examine, examineSubjects } from './repository.mjs';

const root = join(import.meta.dirname, '..', '..', '..');

/** Prints each fault on a line, and fails if there is one, or if no file is read at all. */
const { faults, files } = examine(root);
const all = [...faults, ...examineSubjects(root)];
process.stdout.write([...all, `${files} files, ${all.length} faults`, ''].join('\n'));
process.exitCode = all.length === 0 && files > 0 ? 0 : 1;
