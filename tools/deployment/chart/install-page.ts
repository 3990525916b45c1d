import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';

/** A block of docs/operations.md, by the name behind its language. @throws Error if there is not one such block */
export function blockOf(name: string): string {
  const text = readFileSync(join(workspaceRoot(), 'docs/operations.md'), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`\\w+ ${name}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  if (blocks.length !== 1) throw new Error(`docs/operations.md has ${blocks.length} blocks ${name}.`);
  return blocks[0]![1]!;
}
