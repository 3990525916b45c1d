/** A statement of the catalogue, and the comment on what it makes. */
export interface Described {
  /** May begin with a line break, which sets it apart from the one before. */
  statement: string;
  comment?: string | null;
}

/** Longest line of a comment, its `-- ` included. */
const WIDTH = 118;

/** The statement with its comment above it. */
export function describe({ statement, comment }: Described): string {
  if (!comment) return statement;
  const [gap] = /^\n*/.exec(statement)!;
  return `${gap}${commentLines(comment).join('\n')}\n${statement.slice(gap.length)}`;
}

function commentLines(comment: string): string[] {
  const lines: string[] = [];
  for (const word of comment.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`-- ${word}`);
  }
  return lines;
}
