import { join, relative } from 'node:path';
import { changedArgument, selectionOf } from './changed/run-selection.mjs';
import { makeRunFolder } from './run-folder.mjs';
import { runJest } from './run-jest.mjs';
import { recordTimes } from './times.mjs';

const root = join(import.meta.dirname, '..', '..');
const RECORD = '--record';
/** With these a file runs in part, so its time says nothing. */
const PART = /^(?:-t|--testNamePattern|--shard)\b/;

/**
 * Runs a tier of tests, or those of it that the arguments select: `--changed` by the change, others by jest's arguments.
 * `--record` adds the times to the committed record.
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
  const jestArgs = args.filter((word) => word !== RECORD);
  const keep = args.includes(RECORD) && !jestArgs.some((word) => PART.test(word));
  const onEnd = (results) =>
    recordTimes(
      root,
      results.map(({ path, ...result }) => ({ ...result, file: relative(root, path) })),
    );
  const runFolder = makeRunFolder();
  process.env.TMPDIR = runFolder;
  await runJest(['--config', config, ...jestArgs], { runFolder, onEnd: keep ? onEnd : undefined });
}
