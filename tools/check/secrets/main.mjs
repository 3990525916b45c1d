import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npmPrograms } from '../../peers/npm-programs.mjs';
import { runCommand } from '../../peers/run-command.mjs';

/**
 * Prints each place in git's files that looks like a secret, and fails if there is one, or if no file is read at all.
 * The made-up password of our specs is hunter2.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const folder = relative(root, import.meta.dirname);
const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const [programs] = await npmPrograms(folder, (line) => process.stdout.write(`${line}\n`));
const program = join(programs, 'secretlint');
const options = [
  '--secretlintrc',
  join(folder, '.secretlintrc.json'),
  '--no-glob',
  '--no-color',
  '--maskSecrets',
];
const { ok, output } = await runCommand(program, [...options, ...files], { cwd: root });
process.stdout.write(`${output}${files.length} files, ${ok ? 'no secret' : 'secrets or a fault'}\n`);
process.exitCode = ok && files.length > 0 ? 0 : 1;
