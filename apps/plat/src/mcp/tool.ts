import { loadCommand } from '../start/bundled-plugin';
import { COMMANDS, type CommandClass } from '../start/commands';
import { z } from './mcp-library.js';
import { argumentInputs, flagInputs } from './tool-inputs';

/** The topics whose commands are tools; the others are for the person at the machine. Decision G14. */
const TOPICS = ['exec', 'gate', 'review'];

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A command as agents call it. */
export interface Tool {
  /** The command's words with underscores between them, such as `review_queue_override-advance`. */
  name: string;
  command: CommandClass;
  description: string;
  /** Refuses inputs that the command does not have. */
  schema: z.ZodObject;
  /** Whether it only reads. */
  readOnly: boolean;
  /** The command line that the arguments stand for. */
  argv(given: ToolArguments): string[];
  /** What the command is to read beside its arguments, if the arguments have it. */
  piped(given: ToolArguments): string | undefined;
}

/** Every command that is a tool. */
export async function loadTools(): Promise<Tool[]> {
  const tools: Tool[] = [];
  // One after another: loading a command hides globals for its time.
  for (const id of Object.keys(COMMANDS))
    if (TOPICS.includes(id.split(':')[0] ?? '')) tools.push(toolOf(id, await loadCommand(id)));
  return tools;
}

function toolOf(id: string, command: CommandClass): Tool {
  const flags = flagInputs(command);
  const args = argumentInputs(command);
  const { piped } = command;
  const words = (inputs: typeof flags, given: ToolArguments) =>
    inputs.filter(({ name }) => given[name] !== undefined).flatMap((input) => input.words(given[input.name]));
  return {
    name: id.replaceAll(':', '_'),
    command,
    description: [command.summary, command.description].filter(Boolean).join('.\n\n'),
    schema: z.strictObject({
      ...Object.fromEntries([...args, ...flags].map(({ name, schema }) => [name, schema])),
      ...(piped && { [piped.input]: z.array(z.string()).optional().describe(piped.description) }),
    }),
    readOnly: !flags.some(({ name }) => name === 'preview'),
    argv: (given) => ['--json', ...words(flags, given), '--', ...words(args, given)],
    piped(given) {
      const texts = piped && given[piped.input];
      return Array.isArray(texts) ? texts.join('\0') : undefined;
    },
  };
}
