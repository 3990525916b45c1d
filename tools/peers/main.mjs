import { writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isPartialRun } from '../test/partial-run.mjs';
import { makeRunFolder } from '../test/run-folder.mjs';
import { runJest } from '../test/run-jest.mjs';
import { contents, record, unchangedSpecs } from './passed.mjs';
import { CONFIG, selectedSpecs } from './selected-specs.mjs';
import { setUp } from './set-up.mjs';

const root = join(import.meta.dirname, '..', '..');
/** CI's run: it leaves files out, and records nothing. */
const CHANGED = '--changed';
/** Runs what the record lacks, and records it. */
const STALE = '--stale';

/**
 * The tests that need other people's servers, or those that the jest arguments select; installs and builds first what
 * the selected files need. With `--changed`, as in CI, a file is left out if nothing of its paths changed since it passed.
 * With `--stale` a file that names no paths is left out as well. The tally is the very last line of the output.
 */
export async function main(given) {
  const args = given.filter((word) => word !== CHANGED && word !== STALE);
  const mode = { isChanged: given.includes(CHANGED), isStale: given.includes(STALE) };
  const selected = await prepare(args, mode).catch((error) => {
    writeSync(2, `The peers are not set up. ${error.message}\n`);
    writeSync(1, '0 passed, 1 failed\n');
    process.exitCode = 1;
  });
  if (selected?.running.length === 0) process.stdout.write(tallyOf(selected.left));
  else if (selected !== undefined) await run({ args, ...selected });
}

/** Decides which files run, and installs and builds what they need. */
async function prepare(args, { isChanged, isStale }) {
  const specs = await selectedSpecs(root, args);
  if (specs.length === 0) throw new Error(`No test matches ${args.join(' ')}.`);
  const unchanged = isChanged || isStale ? await unchangedSpecs(root, specs) : [];
  if (isChanged) unchanged.forEach(printLeftOut);
  const always = isStale ? specs.filter(({ paths }) => paths.length === 0) : [];
  const left = [...unchanged, ...always.map(({ file }) => ({ file, tests: 0 }))];
  const leftOut = new Set(left.map(({ file }) => file));
  const running = specs.filter(({ file }) => !leftOut.has(file));
  const names = new Set(running.flatMap(({ peers }) => peers));
  process.env.PLAT_PEERS = JSON.stringify(
    await setUp([...names], (line) => process.stderr.write(`${line}\n`)),
  );
  return { running, left, keep: !isChanged && !isPart(args) };
}

async function run({ args, running, left, keep }) {
  const before = await contents(root, running);
  const notRun = countTests(left);
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

/** The last line of a run in which each selected file is left out. */
function tallyOf(left) {
  const skipped = countTests(left);
  return `0 passed, 0 failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

const countTests = (left) => left.reduce((sum, { tests }) => sum + tests, 0);

function printLeftOut({ file, tests }) {
  process.stdout.write(
    `not run: ${file}, ${tests} tests: nothing that it rests on changed since it passed (tools/peers/passed.json). ` +
      `To run it: npm run test:peers -- ${file}\n`,
  );
}

/** Whether jest runs a part of a file, or on another database than CI: that the rest passes is not seen. */
function isPart(args) {
  return process.env.PLAT_POSTGRESQL_VERSIONS !== undefined || isPartialRun(args);
}
