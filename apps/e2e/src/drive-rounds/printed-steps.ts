/** One of the ways that a next step offers: the commands in it, in order, as a shell reads them. */
export interface PrintedWay {
  commands: string[];
  /** Whether the command that failed is to be repeated after them. */
  repeats: boolean;
}

/** A command with a placeholder such as `<branch>` cannot be typed as it is printed. */
const PLACEHOLDER = /<[a-z_ ]+>/;

/**
 * Reads the ways out of a next step: `keep it: git branch kept-1 1, then repeat the command; or put the review back:
 * plat drive --give-up` offers two. Words in quotes are part of a command, whatever is in them.
 */
export function readPrintedWays(next: string): PrintedWay[] {
  return splitOutsideQuotes(next, /^; (?=or |if )/).map((way) => {
    const clauses = splitOutsideQuotes(way, /^(?:[;,:] )/);
    const commands = clauses.filter((clause) => /^(?:plat|git) /.test(clause) && !PLACEHOLDER.test(clause));
    return { commands, repeats: /repeat/.test(way) };
  });
}

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts = [''];
  let isQuoted = false;
  for (let at = 0; at < text.length;) {
    const found = isQuoted ? undefined : separator.exec(text.slice(at))?.[0];
    if (found !== undefined) {
      parts.push('');
      at += found.length;
      continue;
    }
    if (text[at] === "'") isQuoted = !isQuoted;
    parts.push(`${parts.pop() ?? ''}${text[at]}`);
    at += 1;
  }
  return parts;
}
