import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from './commands';

const SOURCES = join(__dirname, '..');

/** The commands that next steps name, each as `plat` and its words, by the file that names it. */
function namedCommands(): [string, string][] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(SOURCES, file), 'utf8');
      const steps = [...text.matchAll(/nextStep\(\s*(['`])([^]*?)\1/g)].map(([, , step]) => step!);
      return steps
        .flatMap((step) => [...step.matchAll(/\bplat (?!keeps )([a-z]+(?:[ -][a-z]+)*)/g)])
        .map(([, words]): [string, string] => [file, words!]);
    });
}

/** Whether the words begin with the id of a command. */
function isCommand(words: string): boolean {
  const parts = words.split(' ');
  return parts.some((_, last) => Object.hasOwn(COMMANDS, parts.slice(0, last + 1).join(':')));
}

describe('the commands that next steps name', () => {
  const named = namedCommands();

  it('are found in the sources', () => {
    expect(named.length).toBeGreaterThan(50);
    expect(named.map(([, words]) => words)).toContain('review why');
  });

  it('are commands of the client', () => {
    expect(named.filter(([, words]) => !isCommand(words))).toEqual([]);
  });
});
