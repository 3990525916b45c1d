import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';

/** The chart of the services, from the repository's root. */
export const CHART = 'deploy/charts/plat';
const GOLDEN = 'deploy/charts/golden/plat';

interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value: string }[];
  ports?: { name?: string; containerPort: number }[];
  resources: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}

export interface PodSpec {
  automountServiceAccountToken: boolean;
  serviceAccountName?: string;
  terminationGracePeriodSeconds?: number;
  securityContext: Record<string, unknown>;
  initContainers?: Container[];
  containers: [Container, ...Container[]];
  volumes: ({ name: string } & Record<string, unknown>)[];
}

export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
}

/** The fields of a rendered object that a test reads. */
export interface ChartObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: Record<string, unknown>;
}

/** The golden cases of the chart, by name. */
export const CASES = readdirSync(join(workspaceRoot(), GOLDEN, 'values')).map((file) =>
  file.replace(/\.yaml$/, ''),
);

/** From the repository's root. */
export const valuesFile = (name: string): string => join(GOLDEN, 'values', `${name}.yaml`);

export const valuesOf = (name: string): Record<string, unknown> =>
  parse(readFileSync(join(workspaceRoot(), valuesFile(name)), 'utf8')) as Record<string, unknown>;

/** Reads what helm renders for a case: a peers' test proves that the golden file is that. */
export const golden = (name: string): string =>
  readFileSync(join(workspaceRoot(), GOLDEN, `${name}.yaml`), 'utf8').replace(/^#.*\n/, '');

export const objectsOf = (text: string): ChartObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as ChartObject | null)
    .filter((object) => object !== null);

/** The rendered objects of a kind. */
export const rendered = (name: string, kind: string): ChartObject[] =>
  objectsOf(golden(name)).filter((object) => object.kind === kind);

export const templateOf = ({ spec }: ChartObject): PodTemplate => spec.template as PodTemplate;

/** The pods of a case: of Deployments, of Jobs, and those that stand alone. */
export function podsOf(name: string): PodTemplate[] {
  const workloads = [...rendered(name, 'Deployment'), ...rendered(name, 'Job')].map(templateOf);
  return [...workloads, ...rendered(name, 'Pod').map((pod) => pod as unknown as PodTemplate)];
}
