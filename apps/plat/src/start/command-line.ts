import { COMMANDS, TOPICS } from './commands';

/** A request of the command line. */
export type Request =
  | { kind: 'run'; id: string; argv: string[] }
  /** Without a subject: the help of the client itself. */
  | { kind: 'help'; subject: string[] }
  | { kind: 'unknown'; words: string[] }
  /** A flag in the place of a command. */
  | { kind: 'flag first'; flag: string };

/** Reads the words before the first flag as a command or a topic. The rest belongs to the command. */
export function readCommandLine(argv: readonly string[]): Request {
  const asked = argv[0] === 'help';
  const line = asked ? argv.slice(1) : argv;
  const words = leadingWords(line);
  const id = commandId(words);
  const subject = id?.split(':') ?? words;
  const isTopic = TOPICS.some((topic) => topic.name === words.join(':'));
  if (id === undefined && words.length > 0 && !isTopic) return { kind: 'unknown', words };
  const [first] = line;
  if (words.length === 0 && first !== undefined && !asksForHelp(line)) {
    return { kind: 'flag first', flag: first };
  }
  if (id === undefined || asked || asksForHelp(line)) return { kind: 'help', subject };
  return { kind: 'run', id, argv: line.slice(subject.length) };
}

function leadingWords(argv: readonly string[]): string[] {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, firstFlag < 0 ? undefined : firstFlag);
}

/** The longest sequence of leading words that is a command: `review queue list` before `review`. */
function commandId(words: readonly string[]): string | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const id = words.slice(0, length).join(':');
    if (Object.hasOwn(COMMANDS, id)) return id;
  }
  return undefined;
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
