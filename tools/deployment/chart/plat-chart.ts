import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';

/** The chart of the services, from the repository's root. */
export const CHART = 'deploy/charts/plat';
const GOLDEN = 'deploy/charts/golden/plat';

/** What a test reads of a rendered object. */
export interface ChartObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: Record<string, never>;
}

/** The golden cases of the chart, by name. */
export const CASES = readdirSync(join(workspaceRoot(), GOLDEN, 'values')).map((file) =>
  file.replace(/\.yaml$/, ''),
);

/** From the repository's root. */
export const valuesFile = (name: string): string => join(GOLDEN, 'values', `${name}.yaml`);

export const valuesOf = (name: string): Record<string, unknown> =>
  parse(readFileSync(join(workspaceRoot(), valuesFile(name)), 'utf8')) as Record<string, unknown>;

/** What helm renders for a case: a peers' test proves that the golden file is that. */
export const golden = (name: string): string =>
  readFileSync(join(workspaceRoot(), GOLDEN, `${name}.yaml`), 'utf8').replace(/^#.*\n/, '');

export const objectsOf = (text: string): ChartObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as ChartObject | null)
    .filter((object) => object !== null);

/** The rendered objects of a kind. */
export const rendered = (name: string, kind: string): ChartObject[] =>
  objectsOf(golden(name)).filter((object) => object.kind === kind);
