import { splitWords, unquote } from './dockerfile-words';

/** One instruction of a Dockerfile, its continued lines joined, without its heredocs. */
export interface Instruction {
  /** In upper case. */
  name: string;
  /** Everything after the name and its flags. */
  rest: string;
  /** Number of its first line; 1 is the first one. */
  line: number;
}

/** A Dockerfile that a builder could not read either, or whose instructions plat does not know. */
export class UnreadableDockerfile extends Error {
  constructor(
    readonly reason: string,
    line?: number,
  ) {
    super(line === undefined ? reason : `line ${line}: ${reason}`);
  }
}

/** All that BuildKit knows. Another frontend of a `# syntax` line may know more, whose grammar is not known here. */
const INSTRUCTIONS = new Set(
  `ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME
WORKDIR`.split(/\s+/),
);
const WITH_HEREDOCS = ['ADD', 'COPY', 'RUN'];

/** For a line without blanks at its end. Each pattern takes time in proportion to a line's length. */
const DIRECTIVE = /^#\s*([a-z][a-z0-9]*)\s*=\s*(\S.*)$/i;
const DIRECTIVES = ['syntax', 'escape', 'check'];
const COMMENT = /^\s*#/;
const FLAG = /^--(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])*(?:\s+|$)/s;
const HEREDOC = /^\d*<<(-?)([^<]*)$/;

/**
 * The instructions of a Dockerfile by the rules of BuildKit's own parser: the escape directive counts, comments and
 * empty lines may stand inside a continued line, and a heredoc is opened by a whole word of RUN, COPY or ADD alone. Why
 * no parser of npm is used: docs/decisions/0009.
 *
 * @throws UnreadableDockerfile
 */
export function readInstructions(dockerfile: string): Instruction[] {
  const lines = dockerfile.replace(/^\uFEFF/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const reader = new LineReader(lines, continuation(escapeOf(lines)));
  const instructions: Instruction[] = [];
  for (let text = reader.next(); text !== undefined; text = reader.next()) {
    const instruction = parse(text, reader.startLine);
    for (const heredoc of heredocsOf(instruction, text)) reader.skipHeredoc(heredoc);
    instructions.push(instruction);
  }
  return instructions;
}

/** The character of the escape directive. Directives come first in the file, each once. */
function escapeOf(lines: readonly string[]): string {
  const values = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, name = '', value = ''] = DIRECTIVE.exec(line.trim()) ?? [];
    const key = name.toLowerCase();
    if (!DIRECTIVES.includes(key)) break;
    if (values.has(key)) throw new UnreadableDockerfile(`the directive ${key} stands there twice`, at + 1);
    values.set(key, value);
  }
  const escape = values.get('escape') ?? '\\';
  if (escape === '\\' || escape === '`') return escape;
  throw new UnreadableDockerfile(`the escape directive names ${escape}, which is neither \\ nor \``);
}

/** Matches the end of a line that the next one continues: an escape character that is not escaped itself. */
function continuation(escape: string): RegExp {
  return escape === '`' ? /(?<!`)`[ \t]*$/ : /(?<!\\)\\[ \t]*$/;
}

interface Heredoc {
  delimiter: string;
  /** Whether tabs before the delimiter do not count. */
  chomp: boolean;
}

class LineReader {
  startLine = 0;
  private at = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly continued: RegExp,
  ) {}

  /** The next line that is neither empty nor a comment, together with those that continue it. */
  next(): string | undefined {
    for (;;) {
      const first = this.read();
      if (first === undefined) return undefined;
      this.startLine = this.at;
      if (COMMENT.test(first)) continue;
      const text = this.joined(first.trimStart());
      if (text !== '') return text;
    }
  }

  private joined(first: string): string {
    let text = first.replace(this.continued, '');
    let open = text !== first;
    while (open) {
      const line = this.read();
      if (line === undefined) break;
      if (COMMENT.test(line) || line.trim() === '') continue;
      const part = line.replace(this.continued, '');
      text += part;
      open = part !== line;
    }
    return text;
  }

  skipHeredoc({ delimiter, chomp }: Heredoc): void {
    for (let line = this.read(); line !== undefined; line = this.read()) {
      if ((chomp ? line.replace(/^\t+/, '') : line) === delimiter) return;
    }
    throw new UnreadableDockerfile(`the heredoc ${delimiter} has no end`, this.startLine);
  }

  private read(): string | undefined {
    const line = this.lines[this.at];
    this.at += 1;
    return line && withoutReturns(line);
  }
}

/** The line without carriage returns at its end. A pattern would look at each of many inside it again and again. */
function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

function parse(text: string, line: number): Instruction {
  const [, word = '', after = ''] = /^(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  const name = word.toUpperCase();
  if (!INSTRUCTIONS.has(name)) {
    throw new UnreadableDockerfile(`${word.slice(0, 40)} is no instruction of a Dockerfile`, line);
  }
  let rest = after;
  for (let flag = FLAG.exec(rest); flag; flag = FLAG.exec(rest)) {
    rest = rest.slice(flag[0].length);
    if (flag[0].trim() === '--') break;
  }
  return { name, rest: rest.trim(), line };
}

/** The heredocs that an instruction opens, in order; an ONBUILD opens those of the instruction in it. */
function heredocsOf(instruction: Instruction, text: string): Heredoc[] {
  const { name, rest } =
    instruction.name === 'ONBUILD' ? parse(instruction.rest, instruction.line) : instruction;
  if (!WITH_HEREDOCS.includes(name) || isJsonArray(rest)) return [];
  return (splitWords(text) ?? []).flatMap((word) => {
    const [, dash, quoted = ''] = HEREDOC.exec(word) ?? [];
    const delimiter = unquote(quoted);
    return delimiter === '' ? [] : [{ delimiter, chomp: dash === '-' }];
  });
}

/** Whether the arguments are in the form of a JSON array, which no shell reads. */
function isJsonArray(rest: string): boolean {
  if (!rest.startsWith('[')) return false;
  try {
    return Array.isArray(JSON.parse(rest));
  } catch {
    return false;
  }
}
