import type { CommandClass, CommandTable } from '../terminal/command-host';

/** What can stand where a value belongs. `files`: nothing that this client knows of. */
export type Offer = { words: readonly string[] } | 'branches' | 'aliases' | 'files';

/** What completion knows of the commands. */
export interface CommandWords {
  /** Every word that can follow a row of words, and every flag of a command, by the row. */
  next: Map<string, string[]>;
  /** What can be given for a flag of a command, by the row and the flag. */
  values: Array<{ row: string; flag: string; offer: Offer }>;
  /** What can be given for the first argument of a command, by the row. */
  firsts: Array<{ row: string; offer: Offer }>;
}

interface Input {
  type?: string;
  options?: readonly string[];
  helpValue?: string | string[];
  aliases?: readonly string[];
}

/** Reads what every command takes. */
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
  return helpValue === '<branch>' ? 'branches' : 'files';
}
