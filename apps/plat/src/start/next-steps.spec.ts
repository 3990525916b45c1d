import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from './command-line';
import { COMMANDS } from './commands';

const SOURCES = join(__dirname, '..');
const WORKSPACE = join(SOURCES, '..', '..', '..');
const DOCUMENTS = [
  'README.md',
  'docs/verification.md',
  'docs/states.md',
  'docs/errors.md',
  'deploy/README.md',
  'docs/operations.md',
  'docs/gates.md',
];

/** Every `plat …` in a message or a page, with its place. */
function commandLines(): Array<{ place: string; line: string }> {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('black-box'))
    .map((name) => ({ place: name, text: readFileSync(join(SOURCES, name), 'utf8') }));
  const documents = DOCUMENTS.map((name) => ({
    place: name,
    text: readFileSync(join(WORKSPACE, name), 'utf8'),
  }));
  return [...sources, ...documents].flatMap(({ place, text }) =>
    [...text.matchAll(/(?<![\w/.-])plat ((?:[a-z][a-z-]*)(?: (?:[^\s`'"),;:|\\]|"[^"`]*")+)*)/g)].map(
      ([, line = '']) => ({
        place,
        line: line
          .replaceAll(/\$\{[^}]*\}?/g, 'x')
          .replace(/ \*\/$/, '')
          // A command line ends with its sentence.
          .replace(/\. .*$/s, '')
          .replaceAll(/[.…]+(?= |$)/g, ''),
      }),
    ),
  );
}

/** First words that are a command; others are prose, such as "plat is". */
const FIRST_WORDS = new Set(Object.keys(COMMANDS).map((id) => id.split(':')[0]));

/** The flags of each command in the reference, with those that every command has. */
function knownFlags(): Map<string, Set<string>> {
  const reference = readFileSync(join(WORKSPACE, 'docs', 'cli.md'), 'utf8');
  return new Map(
    reference.split(/^## plat /m).flatMap((section) => {
      const [title = '', ...rest] = section.split('\n');
      const rows = rest.filter((line) => line.startsWith('| `--'));
      const flags = rows.flatMap((row) => [...row.matchAll(/`--([a-z-]+)/g)].map(([, flag = '']) => flag));
      return [[title.replaceAll(' ', ':'), new Set([...flags, 'help', 'json', 'output', 'debug', 'alias'])]];
    }),
  );
}

it('every command line that is shown to a person is valid', () => {
  const faults: string[] = [];
  const flags = knownFlags();
  const lines = commandLines().filter(({ line }) => FIRST_WORDS.has(line.split(' ')[0] ?? ''));
  for (const { place, line } of lines) {
    const words = line.split(' ').filter((word) => word !== '');
    const request = readCommandLine(words.map((word) => (word.startsWith('<') ? 'x' : word)));
    if (request.kind === 'unknown') faults.push(`${place}: plat ${line}`);
    if (request.kind !== 'run') continue;
    for (const flag of flagsOf(words)) {
      if (!flags.get(request.id)?.has(flag)) faults.push(`${place}: plat ${line} (--${flag})`);
    }
  }
  expect(faults).toEqual([]);
  expect(lines.length).toBeGreaterThan(80);
});

function flagsOf(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const own = words.slice(0, end < 0 ? undefined : end);
  return own.flatMap((word) => (/^--[a-z]/.test(word) ? [word.slice(2).split('=')[0] ?? ''] : []));
}
