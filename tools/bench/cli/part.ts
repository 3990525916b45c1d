import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startStandalone } from '@plat/testing';
import { readOptions, wholeNumber } from '../options';
import { type Part, progress, root } from '../part';
import { table, verdict } from '../table';
import { LargeRepository } from './large-repository';
import { Person } from './person';
import { type Contender, inTurns } from './turns';

const RUNS_DEFAULT = 15;
const SOURCES = 8;
const FILES = 10_000;
const REVIEWS = 10;

/** The client as a person uses it: each command is a process. */
export const cliPart: Part = {
  summary: 'how long commands of the client take, compared with node alone and with git by hand',
  options: `    --runs N   runs of each command (default ${RUNS_DEFAULT})`,
  async run(args, signal) {
    const runs = readRuns(args);
    const folder = await mkdtemp(join(tmpdir(), 'plat-bench-'));
    try {
      const rows = [
        ...(await measureStarts(folder, runs, signal)),
        ...(await measureGate(folder, runs, signal)),
      ];
      process.stdout.write(`Node ${process.version}, ${cpus().length} CPUs, medians of ${runs} runs\n\n`);
      process.stdout.write(table([['', 'ms', 'ratio', 'goal', ''], ...rows]));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function readRuns(args: string[]): number {
  const { runs } = readOptions(args, { runs: { type: 'string', default: `${RUNS_DEFAULT}` } });
  return wholeNumber('runs', runs);
}

/** Compares commands of the client, against a service as `npm start` runs it, with `node -e 0`. */
async function measureStarts(folder: string, runs: number, signal: AbortSignal): Promise<string[][]> {
  progress('starting a service');
  const service = await startStandalone({ folder });
  try {
    const person = await Person.create(folder, await buildClient());
    await person.signIn(service.apiUrl);
    for (let at = 1; at <= REVIEWS; at++) await person.createReview(`feature/${at}-part`);
    progress('running commands in turns');
    const plat = (name: string, goal: number, args: string[]): Contender => ({
      name,
      goal,
      run: () => person.plat(args),
    });
    const contenders = [
      plat('plat --version', 1.2, ['--version']),
      plat('plat review list --json', 2.2, ['review', 'list', '--json']),
    ];
    const node = { name: 'node -e 0', run: () => person.node(['-e', '0']) };
    return rowsOf(await inTurns(node, contenders, { runs, signal }));
  } finally {
    await service.stop();
  }
}

/** Compares a gate with the git commands that `--dry-run` prints for it, run by a shell. */
async function measureGate(folder: string, runs: number, signal: AbortSignal): Promise<string[][]> {
  progress('making a repository');
  const person = await Person.create(join(folder, 'gate'), await buildClient());
  const repository = await LargeRepository.create(person, { files: FILES, sources: SOURCES });
  const script = await repository.script();
  progress('merging in turns');
  const byHand = { name: `${SOURCES} sources of ${FILES} files by hand`, run: () => repository.run(script) };
  const gate = { name: 'plat exec gate-merge', goal: 1.3, run: () => repository.gate() };
  return rowsOf(await inTurns(byHand, [gate], { runs, signal, before: () => repository.reset() }));
}

function rowsOf({ yardstick, measured }: Awaited<ReturnType<typeof inTurns>>): string[][] {
  return [
    [yardstick.name, yardstick.milliseconds.toFixed(0)],
    ...measured.map(({ name, milliseconds, ratio, goal }) => [
      `  ${name}`,
      milliseconds.toFixed(0),
      `${ratio.toFixed(2)}x`,
      `<= ${goal}x`,
      verdict(ratio <= goal),
    ]),
  ];
}

/** Imports the recipe from the repository at run time, because it is not part of this bundle. */
async function buildClient(): Promise<string> {
  const recipe = pathToFileURL(join(root, 'apps/plat/build.mjs')).href;
  return ((await import(recipe)) as { freshPlat(): Promise<string> }).freshPlat();
}
