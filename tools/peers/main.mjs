import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolPath } from '../run-tool.mjs';
import { runJest } from '../test/run-jest.mjs';
import { runCommand } from './run-command.mjs';
import { setUp } from './set-up.mjs';

const root = join(import.meta.dirname, '..', '..');
const CONFIG = 'jest.peers.config.js';
/** The peers of files that run on another database. jest's configuration selects those files, not their comment. */
const DATABASE_PEERS = ['pgbouncer', 'postgresql-15'];
const DECLARED_PEERS = /^(?:\/\*\*| \*) @peers (.+?)(?: \*\/)?$/m;

/**
 * The tests that need other people's servers, or those that the jest arguments select; installs and builds first what
 * the selected files need. The tally is the very last line of the output.
 */
export async function main(args) {
  try {
    const names = await neededPeers(args);
    process.env.PLAT_PEERS = JSON.stringify(await setUp(names, (line) => process.stderr.write(`${line}\n`)));
  } catch (error) {
    writeSync(2, `The peers are not set up. ${error.message}\n`);
    writeSync(1, '0 passed, 1 failed\n');
    process.exitCode = 1;
    return;
  }
  await runJest(['--config', CONFIG, ...args]);
}

/** The peers that the first comment of each selected file names. */
async function neededPeers(args) {
  const list = [toolPath('jest'), '--config', CONFIG, '--listTests', '--json', ...args];
  const { ok, stdout, output } = await runCommand(process.execPath, list, { cwd: root });
  if (!ok) throw new Error(`jest cannot list the tests:\n${output}`);
  const files = JSON.parse(stdout);
  return [...new Set((await Promise.all(files.map(peersOf))).flat())];
}

async function peersOf(file) {
  if (!file.endsWith('.peers.spec.ts')) return DATABASE_PEERS;
  const declared = DECLARED_PEERS.exec(await readFile(file, 'utf8'))?.[1];
  if (declared === undefined) throw new Error(`${file} does not name its peers: /** @peers powerdns */`);
  return declared.split(/[ ,]+/);
}
