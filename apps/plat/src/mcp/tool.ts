import type { CommandClass, CommandTable } from '../terminal/command-host';
import { type ToolAnnotations, z } from './mcp-library.js';
import { annotationsOf } from './tool-annotations';
import { argumentInputs, flagInputs, type ToolInput } from './tool-inputs';
import { outputOf } from './tool-outputs';
import type { ToolWords } from './tool-words';

/** The topics whose commands are tools. The others are for the person at the machine. Rule G14. */
const TOPICS = ['build', 'drive', 'exec', 'gate', 'review', 'status', 'submit', 'doctor'];
/** Commands of other topics that read what an agent needs as well. */
const COMMANDS = ['activity:lease:list', 'audit:list', 'ledger:check'];
/** Tools that change the server's checkout, of which only one runs at a time. */
const IN_TURN = ['build', 'drive', 'exec:gate-merge', 'exec:push', 'submit'];

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A command in the form in which agents call it. */
export interface Tool {
  /** The command's words with underscores between them, such as `review_queue_override-advance`. */
  name: string;
  /** The command's words with colons between them. */
  id: string;
  command: CommandClass;
  description: string;
  /** Positional arguments in order, and flags. */
  args: ToolInput[];
  flags: ToolInput[];
  /** Refuses inputs that the command does not have. @param words of the descriptions */
  schema(words: ToolWords): z.ZodObject;
  /** The schema of its result, if its shape is known. */
  output: z.ZodObject | undefined;
  annotations: ToolAnnotations;
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
    if (isTool(id)) tools.push(toolOf(id, await commands.load(id)));
  }
  return tools;
}

function isTool(id: string): boolean {
  return TOPICS.includes(id.split(':')[0] ?? '') || COMMANDS.includes(id);
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
  const tool: Tool = {
    name: id.replaceAll(':', '_'),
    id,
    command,
    description: [command.summary, command.description].filter(Boolean).join('.\n\n'),
    args,
    flags,
    schema: (hints) => inputSchema(tool, hints),
    output: outputOf(
      id,
      flags.some(({ name }) => name === 'preview'),
    ),
    annotations: annotationsOf(id, command.summary ?? id),
    inTurn: IN_TURN.includes(id),
    argv(given) {
      const announced = piped && pipedText(given) !== undefined ? [`--${piped.flag}`] : [];
      return ['--json', ...announced, ...words(flags, given), '--', ...words(args, given)];
    },
    piped: pipedText,
  };
  return tool;
}

function inputSchema(tool: Tool, hints: ToolWords): z.ZodObject {
  const { piped } = tool.command;
  const shown = ({ schema }: ToolInput): z.ZodType =>
    schema.description === undefined ? schema : schema.describe(hints.text(schema.description, tool));
  return z.strictObject(
    Object.fromEntries([
      ...[...tool.args, ...tool.flags].map((input) => [input.name, shown(input)]),
      ...(piped ? [[piped.input, z.array(z.string()).optional().describe(piped.description)]] : []),
    ]),
  );
}
