import 'reflect-metadata';
import { UsageError } from './options';
import { DEFAULT_PART, parts } from './parts';

const ALL = 'all';

async function main([name = DEFAULT_PART, ...args]: string[]): Promise<void> {
  // Options without the name of a part are those of the default part.
  if (name === '--help' || name === '-h') return void process.stdout.write(usage());
  if (name.startsWith('-')) return main([DEFAULT_PART, name, ...args]);
  const chosen = name === ALL ? Object.values(parts) : [Object.hasOwn(parts, name) ? parts[name] : undefined];
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  try {
    for (const part of chosen) {
      if (part === undefined) throw new UsageError(`There is no part '${name}'.`);
      await part.run(args, interrupt.signal);
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    process.exitCode = 130;
  }
}

function usage(): string {
  const rows = [
    ...Object.entries(parts),
    [ALL, { summary: 'every part, one after the other', options: '' }],
  ] as const;
  const lines = rows.map(([name, { summary, options }]) => `  ${name.padEnd(12)}${summary}\n${options}`);
  return `npm run bench [-- <part> [options]]   without a part: ${DEFAULT_PART}\n\n${lines.join('')}`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof UsageError ? `${error.message}\n\n${usage()}` : String(error)}\n`);
  process.exitCode = 1;
});
