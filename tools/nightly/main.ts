import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { steps } from './steps';

/** Runs the named steps, or all of them. The failure of one does not stop the others. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      'git-dir': { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(usage());
  // `--git-dir one two` leaves `two` among the positionals; a name with a slash is no step.
  const names = positionals.filter((word) => !word.includes('/'));
  const unknown = names.find((name) => !Object.hasOwn(steps, name));
  if (unknown !== undefined) throw new Error(`There is no step '${unknown}'.\n\n${usage()}`);
  const options = {
    runs: numberOf('runs', values.runs),
    seed: numberOf('seed', values.seed),
    only: numberOf('only', values.only),
    gitDirs: [...(values['git-dir'] ?? []), ...positionals.filter((word) => word.includes('/'))],
  };
  const chosen = Object.entries(steps).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [name, step] of chosen) {
    process.stdout.write(`${name}: ${step.summary}\n`);
    await step.run(options).catch((error: unknown) => {
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    });
  }
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^-?\d+$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return text === undefined ? undefined : Number(text);
}

function usage(): string {
  const lines = Object.entries(steps).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}\n`);
  return `npm run nightly [-- <step>... --runs N --seed N --only N --git-dir DIR...]   without a step: all of them\n\n${lines.join('')}`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
