import { join, relative } from 'node:path';
import { changedArgument, selectionOf } from './changed/run-selection.mjs';
import { becomeHostileUser, HOSTILE_SPECS } from './hostile-user.mjs';
import { isPartialRun } from './partial-run.mjs';
import { makeRunFolder } from './run-folder.mjs';
import { runJest } from './run-jest.mjs';
import { recordTimes } from './times.mjs';

const root = join(import.meta.dirname, '..', '..');
const RECORD = '--record';
const HOSTILE = '--hostile';

/**
 * Runs a tier of tests, or those of it that the arguments select: `--changed` by the change, others by jest's arguments.
 * `--record` adds the times to the committed record. `--hostile` runs the specs of client and git, or those that jest's
 * arguments select, as a person whose settings disturb all that they reach.
 *
 * @param {{config: string, has: (file: string) => boolean}} tier
 * @param {string[]} args
 */
export async function runTier(tier, args) {
  if (changedArgument(args) === undefined) return run(tier, args);
  const selection = await selectionOf(root, args, { isRun: tier.has });
  if (selection.files.length > 0) {
    return run(tier, [...selection.args, '--runTestsByPath', ...selection.files]);
  }
  process.stdout.write('0 passed, 0 failed\n');
}

async function run({ config }, args) {
  const jestArgs = args.filter((word) => word !== RECORD && word !== HOSTILE);
  const isHostile = args.includes(HOSTILE);
  // The time of a part says nothing of its file.
  const keep = args.includes(RECORD) && !isHostile && !isPartialRun(jestArgs);
  const onEnd = (results) =>
    recordTimes(
      root,
      results.map(({ path, ...result }) => ({ ...result, file: relative(root, path) })),
    );
  const runFolder = makeRunFolder();
  process.env.TMPDIR = runFolder;
  if (isHostile) becomeHostileUser(runFolder);
  const selected = isHostile && jestArgs.length === 0 ? HOSTILE_SPECS : jestArgs;
  await runJest(['--config', config, ...selected], { runFolder, onEnd: keep ? onEnd : undefined });
}
