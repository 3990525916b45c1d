import type { CommandClass, CommandTable } from '../terminal/command-host';
import { z } from './mcp-library.js';
import { argumentInputs, flagInputs } from './tool-inputs';

/** The topics whose commands are tools. The others are for the person at the machine. Decision G14. */
const TOPICS = ['build', 'drive', 'exec', 'gate', 'review'];
/** Tools that change the server's checkout, of which only one runs at a time. */
const IN_TURN = ['build', 'drive', 'exec:gate-merge', 'exec:push'];

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A command in the form in which agents call it. */
export interface Tool {
  /** The command's words with underscores between them, such as `review_queue_override-advance`. */
  name: string;
  command: CommandClass;
  description: string;
  /** Refuses inputs that the command does not have. */
  schema: z.ZodObject;
  /** Whether it only reads. */
  readOnly: boolean;
  /** Whether it waits until no other such tool runs. */
  inTurn: boolean;
  /** The command line for the arguments. */
  argv(given: ToolArguments): string[];
  /** The command's input on stdin, if the arguments contain it. */
  piped(given: ToolArguments): string | undefined;
}

/** Every command that is a tool. */
export async function loadTools(commands: CommandTable): Promise<Tool[]> {
  const tools: Tool[] = [];
  for (const id of commands.ids) {
    if (TOPICS.includes(id.split(':')[0] ?? '')) tools.push(toolOf(id, await commands.load(id)));
  }
  return tools;
}

function toolOf(id: string, command: CommandClass): Tool {
  const flags = flagInputs(command);
  const args = argumentInputs(command);
  const { piped } = command;
  const words = (inputs: typeof flags, given: ToolArguments) =>
    inputs.filter(({ name }) => given[name] !== undefined).flatMap((input) => input.words(given[input.name]));
  const pipedText = (given: ToolArguments): string | undefined => {
    const texts = piped && given[piped.input];
    return Array.isArray(texts) ? texts.join('\0') : undefined;
  };
  return {
    name: id.replaceAll(':', '_'),
    command,
    description: [command.summary, command.description].filter(Boolean).join('.\n\n'),
    schema: z.strictObject(
      Object.fromEntries([
        ...[...args, ...flags].map(({ name, schema }) => [name, schema]),
        ...(piped ? [[piped.input, z.array(z.string()).optional().describe(piped.description)]] : []),
      ]),
    ),
    readOnly: !flags.some(({ name }) => name === 'preview'),
    inTurn: IN_TURN.includes(id),
    argv(given) {
      const announced = piped && pipedText(given) !== undefined ? [`--${piped.flag}`] : [];
      return ['--json', ...announced, ...words(flags, given), '--', ...words(args, given)];
    },
    piped: pipedText,
  };
}
