import type { CommandWords, Offer } from './command-words';
import { NAME_COMMANDS, offerFunction } from './offer-function';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, words: CommandWords): string {
  switch (shell) {
    case 'bash':
      return `${offerFunction(words)}${BASH_COMPLETION}`;
    case 'zsh':
      return `${offerFunction(words)}${ZSH_COMPLETION}`;
    case 'fish':
      return fishScript(words);
  }
}

/**
 * Compares the offers, as text, with the word before the cursor, and quotes those that fit. It uses no `compgen -W`,
 * which expands its words, no `mapfile`, which bash 3.2 lacks, and nothing of the package bash-completion.
 *
 * - Bash splits the line at the characters of COMP_WORDBREAKS too, and replaces only the text behind the last of them.
 *   So the words are joined first, and an offer loses the part up to there.
 * - In an open quote, an unsafe name closes the quote and opens it again, for bash closes it behind the offer.
 */
const BASH_COMPLETION = `_plat() {
  local rest="$COMP_LINE" breaks="\${COMP_WORDBREAKS//[^@:=]/}" before=() current='' quote='' at word offer typed
  for ((at = 1; at <= COMP_CWORD; at++)); do
    rest="\${rest#*"\${COMP_WORDS[at - 1]}"}"
    if [[ -z $COMP_LINE || $rest == [[:blank:]]* ]]; then
      ((at == 1)) || before+=("$current")
      current=''
    fi
    current+="\${COMP_WORDS[at]}"
  done
  if [[ $current == --*=* ]]; then
    before+=("\${current%%=*}")
    current="\${current#*=}"
  fi
  if [[ $current == [\\'\\"]* ]]; then
    quote="\${current:0:1}"
    current="\${current:1}"
  fi
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v offer %q "$word"
    [[ $word && ($word == "$current"* || $offer == "$current"*) ]] || continue
    if [[ $quote ]]; then
      [[ $offer == "$word" ]] || offer="$quote$offer$quote"
    elif [[ $breaks ]]; then
      typed="$current"
      while [[ $typed == *["$breaks"]* ]]; do
        typed="\${typed#*["$breaks"]}"
        offer="\${offer#*["$breaks"]}"
      done
    fi
    COMPREPLY+=("$offer")
  done < <(_plat_offers \${before[@]+"\${before[@]}"})
}
complete -o default -F _plat plat
`;

/** The user may have no .zshrc, which sets up zsh's completion. \`compadd\` compares offers as text, and quotes them. */
const ZSH_COMPLETION = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i -D }
_plat() {
  local word
  local -a before offered
  before=("\${(@)words[2,CURRENT-1]}")
  [[ $PREFIX == --*=* ]] && before+=("\${PREFIX%%=*}") && compset -P 1 '*='
  while IFS= read -r word; do
    [[ -n $word ]] && offered+=("$word")
  done < <(_plat_offers "\${before[@]}")
  (( $#offered )) && compadd -- "\${offered[@]}" || _default
}
compdef _plat plat
`;

/** fish expands no result of a command, and quotes an offer when it inserts it. */
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
  const functions = Object.entries(NAME_COMMANDS).map(
    ([source, command]) => `function __plat_${source}\n  ${command}\nend`,
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
${[...functions, ...words, ...flags, ...arguments_].join('\n')}
`;
}

function valueInFish(values: CommandWords['values'], row: string, word: string): string {
  const value = values.find((one) => one.row === row && `--${one.flag}` === word);
  if (!value) return '';
  return value.offer === 'files' ? ' -r' : ` -x -a '${inFish(value.offer)}'`;
}

function inFish(offer: Offer): string {
  if (typeof offer !== 'string') return offer.words.join(' ');
  return offer === 'files' ? '' : `(__plat_${offer})`;
}
