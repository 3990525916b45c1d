import { DAEMON_PROGRAM } from './forward-argv';

/**
 * The argv of a process of which the system shows one line only, with blanks between the words (macOS). Paths with blanks
 * are whole again if the process is the daemon, or if its program is known; other words are split at blanks.
 *
 * @param line the arguments, as `ps -o args=` prints them
 * @param program the path of the executable, as `ps -o comm=` prints it
 */
export function argvOfLine(line: string, program: string): string[] {
  const [first = ''] = line.split(' ', 1);
  const head = line === program || line.startsWith(`${program} `) ? program : first;
  const rest = line.slice(head.length).trim();
  return [head, ...(ofDaemon(rest) ?? wordsOf(rest))];
}

/** Flags of node, the daemon's program, `forward`, and flags with one value each. Rule H9. */
const DAEMON = new RegExp(
  String.raw`^((?:.* )?)(/(?:(?! /).)*/${DAEMON_PROGRAM.replace('.', String.raw`\.`)}) forward (--.+)$`,
  's',
);

function ofDaemon(rest: string): string[] | undefined {
  const [, before, program, flags] = DAEMON.exec(rest) ?? [];
  if (before === undefined || program === undefined || flags === undefined) return undefined;
  // A value ends where the next flag begins. A pattern for all blanks before it would look at each of many again and again.
  const pairs = flags.split(/ (?=--[a-z])/).flatMap((padded) => {
    const flag = padded.trimEnd();
    const [, name = flag, value] = /^(--\S+) (.*)$/s.exec(flag) ?? [];
    return value === undefined ? [name] : [name, value];
  });
  return [...wordsOf(before), program, 'forward', ...pairs];
}

const wordsOf = (text: string): string[] => text.split(/ +/).filter((word) => word !== '');
