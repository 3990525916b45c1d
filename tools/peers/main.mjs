import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { toolPath } from '../run-tool.mjs';
import { makeRunFolder } from '../test/run-folder.mjs';
import { runJest } from '../test/run-jest.mjs';
import { contents, record, unchangedSpecs } from './passed.mjs';
import { runCommand } from './run-command.mjs';
import { setUp } from './set-up.mjs';
import { specOf } from './spec-comment.mjs';

const root = join(import.meta.dirname, '..', '..');
const CONFIG = 'jest.peers.config.js';
/** The peers of files that run on another database. jest's configuration selects those files, not their comment. */
const versions = (process.env.PLAT_POSTGRESQL_VERSIONS ?? '15').split(',');
const DATABASE_PEERS = ['pgbouncer', ...versions.map((version) => `postgresql-${version}`)];

/**
 * The tests that need other people's servers, or those that the jest arguments select; installs and builds first what
 * the selected files need. With `--changed`, as in CI, files that name `@paths` are left out if nothing of those changed
 * since they passed. The tally is the very last line of the output.
 */
export async function main(given) {
  const args = given.filter((word) => word !== '--changed');
  const selected = await prepare(args, args.length < given.length).catch((error) => {
    writeSync(2, `The peers are not set up. ${error.message}\n`);
    writeSync(1, '0 passed, 1 failed\n');
    process.exitCode = 1;
  });
  if (selected !== undefined) await run({ args, ...selected });
}

/** Decides which files run, and installs and builds what they need. */
async function prepare(args, changed) {
  const specs = await selectedSpecs(args);
  const left = changed ? await unchangedSpecs(root, specs) : [];
  left.forEach(printLeftOut);
  const leftOut = new Set(left.map(({ file }) => file));
  const running = specs.filter(({ file }) => !leftOut.has(file));
  const names = new Set(running.flatMap(({ peers }) => peers));
  process.env.PLAT_PEERS = JSON.stringify(
    await setUp([...names], (line) => process.stderr.write(`${line}\n`)),
  );
  return { running, left, keep: !changed && !isPart(args) };
}

async function run({ args, running, left, keep }) {
  const before = await contents(root, running);
  const notRun = left.reduce((sum, { tests }) => sum + tests, 0);
  // Anchored, so that no other file is left out.
  const ignored = left.map(({ file }) => `/${file.replaceAll('.', '\\.')}$`);
  const selection = ignored.length > 0 ? ['--testPathIgnorePatterns', '/node_modules/', ...ignored] : [];
  const onEnd = async (results) => {
    const passed = results.flatMap(({ path, passing, others }) => {
      const file = relative(root, path);
      const content = before.get(file);
      return content !== undefined && passing > 0 && others === 0 ? [{ file, content, tests: passing }] : [];
    });
    if (keep && passed.length > 0) await record(root, passed);
  };
  // Images and clusters are larger than a machine's memory has room for.
  const runFolder = makeRunFolder({ wantsMemory: false });
  process.env.TMPDIR = runFolder;
  await runJest(['--config', CONFIG, ...args, ...selection], { runFolder, notRun, onEnd });
}

function printLeftOut({ file, tests }) {
  process.stdout.write(
    `not run: ${file}, ${tests} tests: nothing of its @paths changed since it passed (tools/peers/passed.json). ` +
      `To run it: npm run test:peers -- ${file}\n`,
  );
}

/** Whether jest runs a part of a file: that its other tests pass is not seen. */
function isPart(args) {
  return args.some((word) => /^(?:-t|--testNamePattern|--shard)\b/.test(word));
}

/** The files that jest selects, once each, with what their first comments say. */
async function selectedSpecs(args) {
  const list = [toolPath('jest'), '--config', CONFIG, '--listTests', '--json', ...args];
  const { ok, stdout, output } = await runCommand(process.execPath, list, { cwd: root });
  if (!ok) throw new Error(`jest cannot list the tests:\n${output}`);
  return Promise.all(
    [...new Set(JSON.parse(stdout))].map(async (path) => {
      const file = relative(root, path);
      if (!path.endsWith('.peers.spec.ts')) return { file, peers: DATABASE_PEERS, paths: [] };
      return specOf(file, await readFile(path, 'utf8'));
    }),
  );
}
