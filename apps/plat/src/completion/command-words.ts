import type { CommandClass, CommandTable } from '../terminal/command-host';

/** The kinds of names that come from outside: a repository, the configuration of the client or of kubectl. */
export type NameSource = 'branches' | 'aliases' | 'contexts';

/** The possible values of a place. `files`: the shell's own completion of files. */
export type Offer = { words: readonly string[] } | NameSource | 'files';

/** The words that completion needs of the commands. */
export interface CommandWords {
  /** The words that can follow a sequence of words, and the flags of a command, by that sequence. */
  next: Map<string, string[]>;
  /** The values of a command's flag, by the sequence and the flag. */
  values: Array<{ row: string; flag: string; offer: Offer }>;
  /** The values of a command's first argument, by the sequence. */
  firsts: Array<{ row: string; offer: Offer }>;
}

interface Input {
  type?: string;
  options?: readonly string[];
  helpValue?: string | string[];
  aliases?: readonly string[];
}

/** Reads the words, flags and values of every command. */
export async function commandWords(commands: CommandTable): Promise<CommandWords> {
  const words: CommandWords = { next: new Map(), values: [], firsts: [] };
  for (const id of commands.ids) {
    const parts = id.split(':');
    parts.forEach((word, at) => {
      const before = parts.slice(0, at).join(' ');
      words.next.set(before, [...new Set([...(words.next.get(before) ?? []), word])]);
    });
    addCommand(words, parts.join(' '), await commands.load(id));
  }
  return words;
}

function addCommand(words: CommandWords, row: string, { flags, baseFlags, args }: CommandClass): void {
  const all = Object.entries({ ...baseFlags, ...flags } as Record<string, Input>);
  const names = all.map(([name]) => `--${name}`);
  words.next.set(row, [...(words.next.get(row) ?? []), ...names]);
  for (const [name, flag] of all) {
    if (flag.type === 'boolean') continue;
    for (const spelling of [name, ...(flag.aliases ?? [])]) {
      words.values.push({ row, flag: spelling, offer: offerOf(name, flag) });
    }
  }
  const [first] = Object.entries((args ?? {}) as Record<string, Input>);
  const offer = first && offerOf(...first);
  if (offer !== undefined && offer !== 'files') words.firsts.push({ row, offer });
}

function offerOf(name: string, { options, helpValue }: Input): Offer {
  if (options) return { words: options };
  if (name === 'alias') return 'aliases';
  if (name === 'kubernetes-context') return 'contexts';
  return helpValue === '<branch>' ? 'branches' : 'files';
}
