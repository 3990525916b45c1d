import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variable } from './variable';
import { VARIABLE_TABLES } from './variables';

const PAGE = readFileSync(join(__dirname, '../../../docs/contract/client-variables.md'), 'utf8');
const ROW = /^\| <a id="[^"]+"><\/a>(\w+) \| ([^|]+) \| ([^|]+) \|/;

/** Name, type and default of each row below a heading of the contract. */
function rowsBelow(heading: string): string[][] {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return section.split('\n').flatMap((line) => {
    const [, ...cells] = ROW.exec(line) ?? [];
    return cells.length === 0 ? [] : [cells.map((cell) => cell.replaceAll('`', '').trim())];
  });
}

describe("the tables of variables have the contract's rows, in its order, with its types and defaults:", () => {
  it.each([
    ['Variables set in a runtime pod', VARIABLE_TABLES.pod, 37],
    ['Variables of a host-side orchestrator session', VARIABLE_TABLES.orchestrator, 6],
    ['Variables read by the client', VARIABLE_TABLES.client, 3],
  ])('%s', (heading, table: Readonly<Record<string, Variable>>, count) => {
    const rows = Object.entries(table).map(([name, row]) => [name, row.type.words, row.default]);
    expect(rowsBelow(heading)).toEqual(rows);
    expect(rows).toHaveLength(count);
  });
});
