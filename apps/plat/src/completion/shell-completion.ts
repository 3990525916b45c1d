export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** @param words what can follow each row of words, as `commandWords` tells it */
export function completionScript(shell: Shell, words: ReadonlyMap<string, readonly string[]>): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return `${ZSH_WITH_COMPLETION}${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

/** zsh reads bash's completions once its own are set up, which a user without a .zshrc has not done. */
const ZSH_WITH_COMPLETION = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i -D }
autoload -U +X bashcompinit && bashcompinit
`;

/** Follows the typed words as far as they are a command, and offers what can come next; after a flag, files. */
function bashScript(words: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...words].map(([row, next]) => `    '${row}') next='${next.join(' ')}' ;;`);
  const rows = [...words.keys()].filter((row) => row !== '').map((row) => `'${row}'`);
  return `_plat() {
  local current="\${COMP_WORDS[COMP_CWORD]}" row='' next='' word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "\${row:+$row }$word" in
    ${rows.join('|')}) row="\${row:+$row }$word" ;;
    esac
  done
  case "$row" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F _plat plat
`;
}

function fishScript(words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...words].flatMap(([row, next]) =>
    next.map((word) =>
      word.startsWith('--')
        ? `complete -c plat -n '__plat_in "${row}"' -l ${word.slice(2)}`
        : `complete -c plat -f -n '__plat_after "${row}"' -a ${word}`,
    ),
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
${lines.join('\n')}
`;
}
