import { DIRECTORY_SCHEMA } from '@plat/database';
import { renderDirectoryPage } from './directory-page';

/** The name of each key of a schema, however deep it is, once for each place that has it. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([word, value]) =>
    word === 'properties'
      ? Object.entries(value as object).flatMap(([name, of]) => [name, ...namesIn(of)])
      : namesIn(value),
  );
}

describe('the page of the directory file', () => {
  const rows = [
    ...renderDirectoryPage().matchAll(/^\| `([^`]+)`(?: \(required\))? \| [^|]+ \| ([^|]*) \|$/gm),
  ];

  it('has every key of the schema, in each place that has it', () => {
    const names = rows.map(([, path]) => path!.split('.').at(-1));
    expect(names.sort()).toEqual(namesIn(DIRECTORY_SCHEMA).sort());
  });

  it('has no key twice, and says of each what it holds', () => {
    const paths = rows.map(([, path]) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(rows.filter(([, , holds]) => holds === '').map(([, path]) => path)).toEqual([]);
  });
});
