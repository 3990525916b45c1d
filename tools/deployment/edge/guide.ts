import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';

/** The files and the commands of docs/exposure.md. */
export interface Guide {
  text: string;
  /** The project's file, as YAML. */
  project: string;
  /** The settings of the edge, as terraform reads them. */
  settings: string;
  /** Every line that begins with `plat`, its continuations joined. */
  platLines: string[];
  /** The commands of the last table, by which a person looks: whatever is in code there. */
  looks: string[];
}

/** @throws Error when a part of it is not there */
export function readGuide(): Guide {
  const text = readFileSync(join(workspaceRoot(), 'docs/exposure.md'), 'utf8');
  const part = (pattern: RegExp): string => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`docs/exposure.md has nothing like ${pattern}`);
    return found;
  };
  const joined = text.replaceAll('\\\n', ' ');
  const lines = [...joined.matchAll(/^(plat .+?)(?: {2,}#.*)?$/gm)].map(([, line = '']) => line);
  const inline = [...joined.matchAll(/`(plat [^`]+)`/g)].map(([, line = '']) => line);
  const table = part(/\| What you see \|[^\n]*\n\|[-|]+\n([\s\S]*)/);
  const cells = table.split('\n').map((row) => row.split(' | ')[1] ?? '');
  return {
    text,
    project: part(/```yaml\n([\s\S]*?)```/),
    settings: part(/<<'END'\n([\s\S]*?)END\n/),
    platLines: [...lines, ...inline],
    looks: cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)),
  };
}
