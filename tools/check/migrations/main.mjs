/**
 * Judges the migrations and the functions by squawk: locks on live tables, and what would break the release before.
 * `.squawk.toml` has the rules. Prints each finding on a line, and fails if there is one. The files of the first schema are
 * left out, because nothing is live when they run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../peers/run-command.mjs';
import { setUp } from '../../peers/set-up.mjs';
import { faultsOf, unreasoned } from './findings.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const FOLDER = 'libs/database/migrations';
const FUNCTIONS = 'libs/database/functions';
const LAST_OF_FIRST_SCHEMA = '0008';

const sqlIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `${folder}/${file}`);
const paths = [
  ...sqlIn(FOLDER).filter((path) => path.split('/').at(-1).slice(0, 4) > LAST_OF_FIRST_SCHEMA),
  ...sqlIn(FUNCTIONS),
];

const { squawk } = await setUp(['squawk'], (line) => process.stderr.write(`${line}\n`));
const { stdout, output } = await runCommand(squawk, ['--reporter', 'json', ...paths], { cwd: root });
const faults = [
  ...faultsOf(findingsIn(stdout, output)),
  ...paths.flatMap((path) => unreasoned(path, readFileSync(join(root, path), 'utf8'))),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${paths.length} files, ${faults.length} findings\n`);
process.exitCode = faults.length === 0 && paths.length > 0 ? 0 : 1;

/** It ends with 1 if it found anything, so only its output shows whether it worked. */
function findingsIn(text, output) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`squawk reports nothing that can be read:\n${output}`);
  }
}
