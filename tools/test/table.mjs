import { join } from 'node:path';
import { gitIn, trackedFiles } from './changed/git-changes.mjs';
import { tiers } from './tiers.mjs';
import { readTimes } from './times.mjs';

const SLOWEST = 15;
const root = join(import.meta.dirname, '..', '..');

/** Prints what each tier of tests costs, by the committed record of times. */
export async function main() {
  const files = trackedFiles(gitIn(root));
  process.stdout.write(`${tableOf(files, await readTimes(root)).join('\n')}\n`);
}

/**
 * The lines of the table.
 *
 * @param {string[]} files of the repository
 * @param {Record<string, {tests: number, seconds: number}>} times
 * @returns {string[]}
 */
export function tableOf(files, times) {
  const rows = Object.values(tiers).map(({ command, has }) => {
    const specs = files.filter(has);
    const timed = specs.filter((file) => times[file] !== undefined);
    return {
      command,
      timed: timed.toSorted((a, b) => times[b].seconds - times[a].seconds),
      untimed: specs.length - timed.length,
      files: specs.length,
      tests: sum(timed.map((file) => times[file].tests)),
      seconds: sum(timed.map((file) => times[file].seconds)),
    };
  });
  return [
    `${'tier'.padEnd(20)}  files  tests  seconds of its files, added up`,
    ...rows.map(
      (row) =>
        `${row.command.padEnd(20)} ${column(row.files)} ${column(row.tests)} ${column(row.seconds)}` +
        (row.untimed > 0 ? `, without ${row.untimed} files that are not timed yet` : ''),
    ),
    ...rows.flatMap(({ command, timed }) => [
      '',
      `the slowest of ${command}`,
      ...timed.slice(0, SLOWEST).map((file) => `${column(times[file].seconds)} s  ${file}`),
    ]),
  ];
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const column = (number) => Math.round(number).toString().padStart(6);
