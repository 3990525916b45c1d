import type { CommandWords, Offer } from './command-words';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, words: CommandWords): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return `${ZSH_WITH_COMPLETION}${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

/** zsh reads bash's completions only after it has set up its own, which a user without a .zshrc has not done. */
const ZSH_WITH_COMPLETION = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i -D }
autoload -U +X bashcompinit && bashcompinit
`;

/**
 * Commands that run when the tab key is pressed: they list the branches of the checkout, and this machine's aliases.
 */
const BRANCHES = "git for-each-ref --format='%(refname:lstrip=2)' refs/heads 2>/dev/null";
const ALIASES = 'plat cloud status --all 2>/dev/null | cut -f1';

/**
 * Follows the typed words while they are a command, and offers the possible next ones; after a flag that takes a value,
 * it offers the values, or files.
 */
function bashScript({ next, values, firsts }: CommandWords): string {
  const cases = [...next].map(([row, words]) => `    '${row}') next='${words.join(' ')}' ;;`);
  const rows = [...next.keys()].filter((row) => row !== '').map((row) => `'${row}'`);
  const firstCases = firsts.map(({ row, offer }) => `    '${row}') next+=" ${inBash(offer)}" ;;`);
  return `_plat() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" row='' next='' word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "\${row:+$row }$word" in
    ${rows.join('|')}) row="\${row:+$row }$word" ;;
    esac
  done
  case "$row $previous" in
${valueCases(values).join('\n')}
    *)
  case "$row" in
${cases.join('\n')}
  esac
  case "$row" in
${firstCases.join('\n')}
  esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F _plat plat
`;
}

/** Flags with the same values share one case. */
function valueCases(values: CommandWords['values']): string[] {
  const patterns = new Map<string, string[]>();
  for (const { row, flag, offer } of values) {
    const words = inBash(offer);
    patterns.set(words, [...(patterns.get(words) ?? []), `'${row} --${flag}'`]);
  }
  return [...patterns].map(([words, flags]) => `    ${flags.join('|')}) next="${words}" ;;`);
}

function inBash(offer: Offer): string {
  if (offer === 'branches') return `$(${BRANCHES})`;
  if (offer === 'aliases') return `$(${ALIASES})`;
  return offer === 'files' ? '' : offer.words.join(' ');
}

function fishScript({ next, values, firsts }: CommandWords): string {
  const words = [...next].flatMap(([row, following]) =>
    following
      .filter((word) => !word.startsWith('--'))
      .map((word) => `complete -c plat -f -n '__plat_after "${row}"' -a ${word}`),
  );
  const flags = [...next].flatMap(([row, following]) =>
    following
      .filter((word) => word.startsWith('--'))
      .map(
        (word) =>
          `complete -c plat -n '__plat_in "${row}"' -l ${word.slice(2)}${valueInFish(values, row, word)}`,
      ),
  );
  const arguments_ = firsts.map(
    ({ row, offer }) => `complete -c plat -f -n '__plat_after "${row}"' -a '${inFish(offer)}'`,
  );
  return `function __plat_words
  string match -v -- '-*' (commandline -opc)[2..]
end
function __plat_after
  set -l words (__plat_words)
  test "$words" = "$argv[1]"
end
function __plat_in
  set -l words (__plat_words)
  string match -q -- "$argv[1] *" "$words "
end
function __plat_branches
  ${BRANCHES}
end
function __plat_aliases
  ${ALIASES}
end
${[...words, ...flags, ...arguments_].join('\n')}
`;
}

function valueInFish(values: CommandWords['values'], row: string, word: string): string {
  const value = values.find((one) => one.row === row && `--${one.flag}` === word);
  if (!value) return '';
  return value.offer === 'files' ? ' -r' : ` -x -a '${inFish(value.offer)}'`;
}

function inFish(offer: Offer): string {
  if (offer === 'branches') return '(__plat_branches)';
  if (offer === 'aliases') return '(__plat_aliases)';
  return offer === 'files' ? '' : offer.words.join(' ');
}
