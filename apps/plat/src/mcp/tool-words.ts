import type { Tool } from './tool';
import type { ToolInput } from './tool-inputs';

/**
 * A word of a command line: a quoted one, as shellQuote writes it, a placeholder, or text up to a blank or a mark that ends a
 * command. A text may be as long as an answer of a platform, so each pattern here takes time in proportion to its length.
 */
const WORD =
  /"(?:[^"\\]|\\.)*"|'[^']*'(?:\\''[^']*')*|<[^<>]*>|[^\s"'<>;,:()]+(?:[:.](?=[^\s"'<>;,:()])[^\s"'<>;,:()]+)*/y;
/** A word that is no value of an argument in running text: only small letters. */
const PROSE = /^[a-z]+$/;
const FLAG = /--(?<flag>[a-z][a-z-]*)(?:[= ](?<value><[^<>]*>|"[^"]*"))?/g;

/** Where a text is read, and up to where. */
interface Reading {
  text: string;
  at: number;
}

/** Renders hints for people as hints for agents: a command as its tool, a flag as the tool's input. Rule G14. */
export class ToolWords {
  private readonly byCommand: ReadonlyMap<string, Tool>;

  /** @param commands the ids of all commands, also of those that are no tools */
  constructor(
    tools: readonly Tool[],
    private readonly commands: readonly string[],
  ) {
    this.byCommand = new Map(tools.map((tool) => [tool.id, tool]));
  }

  /** A value that a tool returns: its hints are the fields `next`, and the message of a failure. */
  value(value: unknown, own: Tool): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item, own));
    if (typeof value !== 'object' || value === null) return value;
    const isFailure = 'code' in value && 'message' in value && 'exitCode' in value;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]: [string, unknown]) => {
        const isHint = field === 'next' || (isFailure && field === 'message');
        return [field, isHint && typeof inner === 'string' ? this.text(inner, own) : this.value(inner, own)];
      }),
    );
  }

  /** @param own the tool whose text it is */
  text(text: string, own: Tool): string {
    let shown = '';
    let from = 0;
    for (const { index } of text.matchAll(/(?<![\w/.-])plat (?=[a-z])/g)) {
      if (index < from) continue;
      const command = this.readCommand({ text, at: index + 'plat '.length });
      if (command === undefined) continue;
      shown += this.prose(text.slice(from, index), own) + (command.call ?? text.slice(index, command.end));
      from = command.end;
    }
    return shown + this.prose(text.slice(from), own);
  }

  /** Text without commands. */
  private prose(text: string, own: Tool): string {
    return text
      .replaceAll(/\b([Rr]epeat|[Rr]epeats) the command\b/g, '$1 the call')
      .replaceAll(FLAG, (whole, flag: string, value?: string) => {
        const input = inputOf(own, flag);
        if (input === undefined) return whole;
        if (value !== undefined && input.kind !== 'truth') return `${input.name}: ${value}`;
        return value === undefined ? nameOf(input) : `${nameOf(input)} ${value}`;
      });
  }

  /** The command line that begins there, as a call of its tool; without a call if the command is no tool. */
  private readCommand(reading: Reading): { call?: string; end: number } | undefined {
    const named = this.readName(reading);
    if (named === undefined) return undefined;
    const tool = this.byCommand.get(named.id);
    const given = new Map<ToolInput, string[]>();
    const left = [...(tool?.args ?? [])];
    let { end } = named;
    for (;;) {
      const word = nextWord({ text: reading.text, at: end });
      if (word === undefined) break;
      const flag = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word.text);
      if (flag !== null) {
        const taken = readFlag(tool, { text: reading.text, at: word.end }, flag);
        if (taken === undefined) break;
        if (taken.input) give(given, taken.input, taken.value);
        ({ end } = taken);
      } else {
        const [input] = left;
        if (PROSE.test(word.text) || (tool !== undefined && input === undefined)) break;
        if (input) give(given, input, literal(word.text, input));
        if (input?.kind !== 'texts') left.shift();
        ({ end } = word);
      }
    }
    return tool === undefined ? { end } : { call: callText(tool, given), end };
  }

  /** The longest name of a command that begins there. */
  private readName(reading: Reading): { id: string; end: number } | undefined {
    let found: { id: string; end: number } | undefined;
    let id = '';
    let { at } = reading;
    for (;;) {
      const word = id === '' ? wordAt(reading) : nextWord({ text: reading.text, at });
      if (word === undefined) return found;
      id = id === '' ? word.text : `${id}:${word.text}`;
      if (!this.commands.some((each) => each === id || each.startsWith(`${id}:`))) return found;
      at = word.end;
      if (this.commands.includes(id)) found = { id, end: at };
    }
  }
}

/** A flag of a command line, with its value; undefined if the tool does not have it. */
function readFlag(
  tool: Tool | undefined,
  after: Reading,
  [, flag = '', joined]: RegExpExecArray,
): { input?: ToolInput; value: string; end: number } | undefined {
  const input = tool && inputOf(tool, flag);
  if (tool !== undefined && input === undefined) return undefined;
  if (input?.kind === 'truth') return { input, value: 'true', end: after.at };
  if (joined !== undefined) return { input, value: literal(joined, input), end: after.at };
  const value = nextWord(after);
  // The flag of a command that is no tool may take a value or none.
  if (value === undefined || value.text.startsWith('--')) return { input, value: '', end: after.at };
  return { input, value: literal(value.text, input), end: value.end };
}

function inputOf(tool: Tool, flag: string): ToolInput | undefined {
  const piped = tool.command.piped;
  if (piped?.flag === flag) {
    return { ...EMPTY, name: piped.input, flag, kind: 'texts' };
  }
  return tool.flags.find((input) => input.flag === flag);
}

const EMPTY: Pick<ToolInput, 'schema' | 'words'> = { schema: undefined as never, words: () => [] };

function nameOf({ name, kind }: ToolInput): string {
  return kind === 'truth' ? `${name}: true` : name;
}

function give(given: Map<ToolInput, string[]>, input: ToolInput, value: string): void {
  const values = given.get(input) ?? [];
  if (value !== '') values.push(value);
  given.set(input, values);
}

function callText({ name }: Tool, given: ReadonlyMap<ToolInput, readonly string[]>): string {
  const inputs = [...given].map(([input, values]) => {
    if (values.length === 0) return input.name;
    return `${input.name}: ${input.kind === 'texts' ? `[${values.join(', ')}]` : values.join(' ')}`;
  });
  return inputs.length === 0 ? name : `${name} with ${inputs.join(', ')}`;
}

/** A value as JSON has it; a placeholder stays as it is. */
function literal(word: string, input: ToolInput | undefined): string {
  if (/^<.*>$/s.test(word) || input?.kind === 'number') return word;
  const [quote] = word;
  const bare = quote === '"' || quote === "'" ? word.slice(1, -1) : word;
  return JSON.stringify(quote === "'" ? bare.replaceAll(`'\\''`, "'") : bare);
}

/** The word behind one blank; undefined if something else is there. */
function nextWord({ text, at }: Reading): { text: string; end: number } | undefined {
  return text[at] === ' ' ? wordAt({ text, at: at + 1 }) : undefined;
}

/** The word that begins there, without the full stop of a sentence. */
function wordAt({ text, at }: Reading): { text: string; end: number } | undefined {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? '';
  let { length } = word;
  while (word[length - 1] === '.') length -= 1;
  return length === 0 ? undefined : { text: word.slice(0, length), end: at + length };
}
