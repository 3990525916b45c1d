import type { CommandClass } from '../terminal/command-host';
import { z } from './mcp-library.js';

/** An input of a tool, from an argument or a flag of its command. */
export interface ToolInput {
  /** The agent's name of it: camelCase, and `preview` for `--dry-run`. Rule G14. */
  name: string;
  /** The command's flag without its hyphens; undefined for an argument. */
  flag?: string;
  /** The kind of its values, for a hint that gives it one. */
  kind: 'truth' | 'number' | 'text' | 'texts';
  schema: z.ZodType;
  /** Converts the given value to words of a command line. */
  words(value: unknown): string[];
}

type Described = { description?: string; required?: boolean };
type Flag = Described & {
  type: 'boolean' | 'option';
  multiple?: boolean;
  options?: readonly string[];
  helpValue?: string | string[];
  /** Whether `no-` may be put before it, which is its false. */
  allowNo?: boolean;
  /** TERMINAL: flags that are for a person alone. */
  helpGroup?: string;
};

/**
 * The flags of a command as inputs, without those that every command has, those for a terminal, and the one for stdin,
 * which the server sets.
 */
export function flagInputs(command: CommandClass): ToolInput[] {
  const flags = Object.entries((command.flags ?? {}) as Record<string, Flag>);
  return flags
    .filter(([flag, { helpGroup }]) => flag !== command.piped?.flag && helpGroup !== 'TERMINAL')
    .map(([flag, about]) => flagInput(flag, about));
}

/**
 * The positional arguments of a command as inputs, in order. One that takes any number takes a list. The review may be
 * left out, as on the command line, and what stands after it then comes first there, so it is required.
 */
export function argumentInputs(command: CommandClass): ToolInput[] {
  const takesMany = command.strict === false;
  const args = (command.args ?? {}) as Record<string, Described>;
  const isOfReview = 'review_id' in args;
  return Object.entries(args).map(([argument, about]) => ({
    name: camelCase(argument),
    kind: takesMany ? 'texts' : 'text',
    schema: described(takesMany ? z.array(z.string()) : z.string(), {
      ...about,
      required: isOfReview ? argument !== 'review_id' : about.required === true,
    }),
    words: (value) => (Array.isArray(value) ? value.map(String) : [String(value)]),
  }));
}

function flagInput(flag: string, about: Flag): ToolInput {
  return {
    name: flag === 'dry-run' ? 'preview' : camelCase(flag),
    flag,
    kind: kindOf(about),
    schema: described(flagSchema(about), about),
    words: (value) => (value === false && about.allowNo === true ? [`--no-${flag}`] : flagWords(flag, value)),
  };
}

function kindOf({ type, multiple, helpValue }: Flag): ToolInput['kind'] {
  if (type === 'boolean') return 'truth';
  // oclif does not record that a flag is a number, so its help value decides.
  if (helpValue === '<number>') return 'number';
  return multiple ? 'texts' : 'text';
}

function flagSchema(about: Flag): z.ZodType {
  const one = about.options ? z.enum(about.options) : z.string();
  switch (kindOf(about)) {
    case 'truth':
      return z.boolean();
    case 'number':
      return z.int();
    case 'texts':
      return z.array(one);
    case 'text':
      return one;
  }
}

/** With `=`, so that a value that begins with a hyphen remains a value. */
function flagWords(flag: string, value: unknown): string[] {
  if (typeof value === 'boolean') return value ? [`--${flag}`] : [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => `--${flag}=${String(one)}`);
}

function described(schema: z.ZodType, { description, required }: Described): z.ZodType {
  const whole = required ? schema : schema.optional();
  return description === undefined ? whole : whole.describe(description);
}

function camelCase(name: string): string {
  return name.replace(/[-_]([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
