/**
 * Judges the migrations by squawk: locks on live tables, and what would break the release before. `.squawk.toml` has the
 * rules, landed.mjs the exceptions. Prints each finding on a line, and fails if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../peers/run-command.mjs';
import { setUp } from '../../peers/set-up.mjs';
import { faultsOf, unreasoned } from './findings.mjs';
import { LANDED } from './landed.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const FOLDER = 'libs/database/migrations';
const files = readdirSync(join(root, FOLDER)).filter((file) => file.endsWith('.sql'));
const paths = files.map((file) => `${FOLDER}/${file}`);

const { squawk } = await setUp(['squawk'], (line) => process.stderr.write(`${line}\n`));
const { stdout, output } = await runCommand(squawk, ['--reporter', 'json', ...paths], { cwd: root });
const faults = [
  ...faultsOf(findingsIn(stdout, output), LANDED),
  ...paths.flatMap((path) => unreasoned(path, readFileSync(join(root, path), 'utf8'))),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${files.length} migrations, ${faults.length} findings\n`);
process.exitCode = faults.length === 0 && files.length > 0 ? 0 : 1;

/** It ends with 1 if it found anything, so only its output shows whether it worked. */
function findingsIn(text, output) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`squawk reports nothing that can be read:\n${output}`);
  }
}
