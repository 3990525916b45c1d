import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { toolPath } from '../run-tool.mjs';
import { pathsOfSpecs } from './rests-on.mjs';
import { runCommand } from './run-command.mjs';
import { specOf } from './spec-comment.mjs';
import { peers as table } from './table.mjs';

export const CONFIG = 'jest.peers.config.js';
/** The peers of files that run on another database. jest's configuration selects those files, not their comment. */
const versions = (process.env.PLAT_POSTGRESQL_VERSIONS ?? '15').split(',');
const DATABASE_PEERS = ['pgbouncer', ...versions.map((version) => `postgresql-${version}`)];

/**
 * Lists the files that jest selects, once each: a `.peers.spec.ts` as its first comment says, another one as a spec that runs
 * on another database.
 *
 * @param {string} root of the repository
 * @param {string[]} args of jest
 * @returns {Promise<{file: string, peers: string[], paths: string[], recipe: string}[]>} as of specOf
 * @throws Error if jest cannot list them, or a comment names no peers
 */
export async function selectedSpecs(root, args) {
  const list = [toolPath('jest'), '--config', CONFIG, '--listTests', '--json', ...args];
  const { ok, stdout, output } = await runCommand(process.execPath, list, { cwd: root });
  if (!ok) throw new Error(`jest cannot list the tests:\n${output}`);
  const files = [...new Set(JSON.parse(stdout))].map((path) => relative(root, path));
  const usual = files.filter((file) => !file.endsWith('.peers.spec.ts'));
  const paths = usual.length > 0 ? pathsOfSpecs(root, usual) : new Map();
  const recipe = JSON.stringify(DATABASE_PEERS.map((name) => table[name]));
  return Promise.all(
    files.map(async (file) =>
      paths.has(file)
        ? { file, peers: DATABASE_PEERS, paths: paths.get(file), recipe }
        : specOf(file, await readFile(join(root, file), 'utf8')),
    ),
  );
}
