/** A fenced block of a page. */
export interface FencedBlock {
  /** The last heading of the second level above it. */
  heading: string;
  /** The word behind the fence, such as `sh`; empty if there is none. */
  language: string;
  /** Its commands as they stand in the page, comments included. A command may have more than one line. */
  commands: string[];
}

const FENCE = /^ {0,3}(```+|~~~+)\s*(\S*)/;

/** Reads every fenced block of a page in Markdown. @throws Error if a block has no end */
export function readFencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let heading = '';
  let open: { fence: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.split('\n')) {
    if (open !== undefined) {
      if (!line.trim().startsWith(open.fence)) {
        open.lines.push(line);
        continue;
      }
      blocks.push({ heading, language: open.language, commands: joinCommands(open.lines) });
      open = undefined;
      continue;
    }
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) open = { fence, language, lines: [] };
    else if (line.startsWith('## ')) heading = line.slice(3);
  }
  if (open !== undefined) throw new Error(`The block below "${heading}" has no end.`);
  return blocks;
}

/** A line that ends with `&&`, `||`, `|` or a backslash goes on in the next one. */
function joinCommands(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen) commands.push(`${commands.pop() ?? ''}\n${line}`);
    else if (withoutComment(line) !== '') commands.push(line);
    isOpen = /(?:&&|\|\|?|\\)$/.test(withoutComment(line));
  }
  return commands;
}

/** The command without the comments at the ends of its lines. */
export function withoutComment(command: string): string {
  return command.replaceAll(/[ \t]*(?:(?:^|[ \t])#.*)?$/gm, '').trim();
}
