import type { CommandWords, NameSource, Offer } from './command-words';

/**
 * Commands that run when the tab key is pressed. Each prints the names of its kind, one on a line. git takes no bare repository
 * that it merely finds: a branch can have a folder that is one, whose settings name a command.
 */
export const NAME_COMMANDS: Readonly<Record<NameSource, string>> = {
  branches:
    "git -c safe.bareRepository=explicit for-each-ref --format='%(refname:lstrip=2)' refs/heads 2>/dev/null",
  aliases: 'plat cloud status --all 2>/dev/null | cut -f1',
  contexts: 'kubectl config get-contexts -o name 2>/dev/null',
};

/**
 * The function `_plat_offers` of bash and zsh. It takes the words between `plat` and the cursor, and prints what can
 * follow them, one offer on a line. It follows the words while they are a command; after a flag with a value, it prints
 * the values. No name is an argument of a command or part of one: a name that looks like a command stays text.
 */
export function offerFunction({ next, values, firsts }: CommandWords): string {
  const rows = [...next.keys()].filter((row) => row !== '').map(quote);
  const words = [...next].map(([row, following]) => `    ${quote(row)}) ${print({ words: following })} ;;`);
  const arguments_ = firsts.map(({ row, offer }) => `    ${quote(row)}) ${print(offer)} ;;`);
  return `_plat_offers() {
  local row='' previous='' word
  for word in "$@"; do
    previous="$word"
    case "\${row:+$row }$word" in
    ${rows.join('|')}) row="\${row:+$row }$word" ;;
    esac
  done
  case "$row $previous" in
${valueCases(values).join('\n')}
    *)
  case "$row" in
${words.join('\n')}
  esac
  case "$row" in
${arguments_.join('\n')}
  esac
    ;;
  esac
}
`;
}

/** Flags with the same values share one case. */
function valueCases(values: CommandWords['values']): string[] {
  const patterns = new Map<string, string[]>();
  for (const { row, flag, offer } of values) {
    const command = print(offer);
    patterns.set(command, [...(patterns.get(command) ?? []), quote(`${row} --${flag}`)]);
  }
  return [...patterns].map(([command, flags]) => `    ${flags.join('|')}) ${command} ;;`);
}

/** The command that prints the offer; it prints nothing for files, which the shell itself completes. */
function print(offer: Offer): string {
  if (typeof offer === 'string') return offer === 'files' ? ':' : NAME_COMMANDS[offer];
  return `printf '%s\\n' ${offer.words.map(quote).join(' ')}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
