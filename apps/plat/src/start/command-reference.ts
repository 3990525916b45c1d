import type { CommandClass } from '../terminal/command-host';
import { commandTable } from './bundled-plugin';

interface Input {
  description?: string;
  required?: boolean;
  hidden?: boolean;
  type?: string;
  options?: readonly string[];
  helpValue?: string | string[];
  helpGroup?: string;
}

const GLOBAL = 'GLOBAL';

/** Every command with its arguments, flags and examples, in the form of `docs/cli.md`. */
export async function commandReference(): Promise<string> {
  const parts = [
    '# Commands',
    'Written by `npm run generate` from `apps/plat/src/commands`; edit the commands there.',
    'Every command takes `--json` (or `--output json`): one JSON value on stdout, in failure as well; and `--debug`: ' +
      'calls and answers, on stderr, with tokens masked. Those that work with a platform take ' +
      '`--alias <name>`. Exit codes: 0; 1 for a failure; 3 if a sealed log contradicts what was known of it; 4 if a review is MERGED and its landed content is DIVERGENT; 124 if a wait timed out; 127 if no platform alias can be resolved.',
  ];
  for (const id of commandTable.ids) parts.push(...section(id, await commandTable.load(id)));
  return `${parts.join('\n\n')}\n`;
}

function section(id: string, command: CommandClass): string[] {
  const words = id.split(':');
  const [name, line] = [words.join(' '), `plat ${words.join(' ')}`];
  const examples = (command.examples ?? []).map((example) =>
    String(example).replaceAll('<%= config.bin %>', 'plat').replaceAll('<%= command.id %>', name),
  );
  return [
    `## ${line}`,
    `${command.summary}.`,
    ...(command.description ? [command.description] : []),
    ...table(
      'Argument',
      inputs(command.args).map(([arg, about]) => [arg.toUpperCase(), about]),
    ),
    ...table('Flag', ownFlags(command)),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ];
}

function ownFlags(command: CommandClass): Array<[string, Input]> {
  return inputs(command.flags)
    .filter(([, { helpGroup }]) => helpGroup !== GLOBAL)
    .map(([flag, about]) => [`--${flag}${about.type === 'boolean' ? '' : ` ${valueOf(about)}`}`, about]);
}

function inputs(all: object | undefined): Array<[string, Input]> {
  return Object.entries((all ?? {}) as Record<string, Input>).filter(([, { hidden }]) => !hidden);
}

function valueOf({ options, helpValue }: Input): string {
  return options ? options.join('|') : String(helpValue ?? '<value>');
}

function table(title: string, rows: ReadonlyArray<[string, Input]>): string[] {
  if (rows.length === 0) return [];
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ([name, { description = '', required }]) =>
      `| \`${cell(name)}\` | ${cell(description)}${required ? ' (required)' : ''} |`,
  );
  return [[`| ${title} | |`, '| --- | --- |', ...lines].join('\n')];
}
