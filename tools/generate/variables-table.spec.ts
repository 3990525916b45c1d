import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileVariables, startVariables, variablesOf } from '@plat/service';
import { SERVICE_CONFIGS } from './plat-chart/service-values';

/** One variable of the table in docs/operations.md, as its row has it. */
interface Row {
  services: string;
  default: string;
  file: string;
}

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
const configuration = page.slice(page.indexOf('\n## Configuration\n'));
const table = configuration.slice(0, configuration.indexOf('\n## ', 1));
const rows = new Map(
  table.split('\n').flatMap((line): [string, Row][] => {
    if (!line.startsWith('| `')) return [];
    const [, names = '', services = '', defaults = '', file = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const each = defaults.split(',').map((text) => text.trim());
    return Array.from(names.matchAll(/`([A-Z_]+)`/g), ([, name], at): [string, Row] => [
      name as string,
      { services, default: each.length > 1 ? (each[at] ?? '') : (each[0] ?? ''), file },
    ]);
  }),
);

/** Reads a variable from the services' configurations, as the table would write it. */
function declared(name: string): Row {
  const having = Object.entries(SERVICE_CONFIGS).filter(([, shape]) => variablesOf(shape).includes(name));
  const [, shape] = having[0] as [string, new () => object];
  const value = (new shape() as Record<string, unknown>)[name];
  const services =
    having.length === Object.keys(SERVICE_CONFIGS).length ? 'all' : having.map(([each]) => each).join(', ');
  const text = value === '' ? 'empty' : value === undefined ? '' : String(value as string | number | boolean);
  const file = startVariables(shape).includes(name) ? 'file, at the start' : 'file';
  return { services, default: text, file: fileVariables(shape).includes(name) ? file : '' };
}

const names = [...new Set(Object.values(SERVICE_CONFIGS).flatMap(variablesOf))].filter(
  (name) => !name.endsWith('_FILE'),
);

describe("the operator's table of variables", () => {
  it.each([...names, 'VERIFIER_WORKER_FILE'])('says of %s what the configuration does', (name) => {
    expect(rows.get(name)).toEqual(declared(name));
  });

  it('has no other variable', () => {
    expect([...rows.keys()].filter((name) => !names.includes(name) && !name.endsWith('_FILE'))).toEqual([]);
  });
});
