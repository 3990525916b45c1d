import { loadCommand } from './bundled-plugin';
import { COMMANDS, type CommandClass } from './commands';

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

/** Every command with its arguments, flags and examples, as `docs/cli.md` has them. */
export async function commandReference(): Promise<string> {
  const parts = [
    '# Commands',
    'Written by `npm run generate` from `apps/plat/src/commands`; edit the commands there.',
    'Every command takes `--json` (or `--output json`): one JSON value on stdout, in failure as well. Those that work ' +
      'with a platform take `--alias <name>` and `--debug`. Exit codes: 0; 1 for a failure; 127 when no platform ' +
      'alias can be resolved.',
  ];
  // One after another: loading a command hides globals for its time.
  for (const id of Object.keys(COMMANDS)) parts.push(...section(id, await loadCommand(id)));
  return `${parts.join('\n\n')}\n`;
}

/** Every word that can follow a row of words, and every flag of a command, by the row. */
export async function commandWords(): Promise<Map<string, string[]>> {
  const words = new Map<string, string[]>();
  for (const id of Object.keys(COMMANDS)) {
    const row = id.split(':');
    row.forEach((word, at) => {
      const before = row.slice(0, at).join(' ');
      words.set(before, [...new Set([...(words.get(before) ?? []), word])]);
    });
    const { flags, baseFlags } = await loadCommand(id);
    const names = Object.keys({ ...baseFlags, ...flags }).map((name) => `--${name}`);
    words.set(row.join(' '), [...(words.get(row.join(' ')) ?? []), ...names]);
  }
  return words;
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
