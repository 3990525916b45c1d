import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import { type FiveProcesses, startFiveProcesses } from '../five-processes';
import { allExpressions, metricsOf, namesIn } from './expressions';

/** Lists variables of environments, which have the prefix of figures. */
const VARIABLES_PAGE = 'docs/contract/client-variables.md';
/** Logins that an operator makes; the database of a test has none of them. */
const OPERATORS_LOGINS = ['plat_owner', 'plat_backup'];

/** The documents of the product, from the workspace's root. */
function documents(): string[] {
  const pages = readdirSync(join(workspaceRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [...pages, 'deploy/README.md', 'README.md', 'ARCHITECTURE.md', 'SECURITY.md'];
}

/** The words of a document that may be figures. */
const wordsOf = (file: string): string[] => [
  ...new Set(readFileSync(join(workspaceRoot(), file), 'utf8').match(/\bplat_[a-z_]*[a-z]\b/g)),
];

let services: FiveProcesses;
let shown: Set<string>;
let roles: string[];
// Five programs are built first.
beforeAll(async () => {
  services = await startFiveProcesses();
  const texts = await Promise.all(
    SERVICES.map(async (name) => (await fetch(`${services.addresses[name]}/metrics`)).text()),
  );
  shown = new Set(texts.flatMap((text) => [...metricsOf(text).keys()]));
  const rows = await services.database.query<{ rolname: string }>('SELECT rolname FROM pg_roles');
  roles = rows.map(({ rolname }) => rolname);
}, 300_000);
afterAll(() => services?.stop());

describe('the processes of the five services show at /metrics', () => {
  it('each figure that a document names', () => {
    const named = documents()
      .filter((file) => file !== VARIABLES_PAGE)
      .flatMap((file) => wordsOf(file).map((word) => ({ file, word })));
    const figures = named.filter(({ word }) => !roles.includes(word) && !OPERATORS_LOGINS.includes(word));
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter(({ word }) => !shown.has(word))).toEqual([]);
  });

  it('each figure that an alarm or the dashboard reads', () => {
    const read = new Set(allExpressions().flatMap(({ text }) => namesIn(text).metrics));
    const plain = (name: string) => name.replace(/_(bucket|count|sum)$/, '');
    const missing = [...read].filter((name) => name !== 'up' && !shown.has(name) && !shown.has(plain(name)));
    expect(missing).toEqual([]);
  });
});
