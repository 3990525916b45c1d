import type { CommandTable } from '../terminal/command-host';

/** Every word that can follow a row of words, and every flag of a command, by the row. */
export async function commandWords(commands: CommandTable): Promise<Map<string, string[]>> {
  const words = new Map<string, string[]>();
  for (const id of commands.ids) {
    const row = id.split(':');
    row.forEach((word, at) => {
      const before = row.slice(0, at).join(' ');
      words.set(before, [...new Set([...(words.get(before) ?? []), word])]);
    });
    const { flags, baseFlags } = await commands.load(id);
    const names = Object.keys({ ...baseFlags, ...flags }).map((name) => `--${name}`);
    words.set(row.join(' '), [...(words.get(row.join(' ')) ?? []), ...names]);
  }
  return words;
}
