import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';
import {
  type ChartCase,
  chartValuesFile,
  GOLDEN_CHARTS,
  hasPeer,
  HELM_CHARTS,
  renderedChart,
} from '@plat/testing';

/** The chart of the services, from the repository's root. */
export const CHART = 'deploy/charts/plat';

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

/** The cases of the chart that this run can read: the others too if helm 3 is a peer of it. */
export const CASES: readonly ChartCase[] = [...GOLDEN_CHARTS, ...(hasPeer('helm3') ? HELM_CHARTS : [])];

export const valuesOf = (name: ChartCase): Record<string, unknown> =>
  parse(readFileSync(join(workspaceRoot(), chartValuesFile(name)), 'utf8')) as Record<string, unknown>;

export const objectsOf = (text: string): ChartObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as ChartObject | null)
    .filter((object) => object !== null);

/** The rendered objects of a kind. */
export const rendered = (name: ChartCase, kind: string): ChartObject[] =>
  objectsOf(renderedChart(name)).filter((object) => object.kind === kind);

export const templateOf = ({ spec }: ChartObject): PodTemplate => spec.template as PodTemplate;

/** The pods of a case: of Deployments, of Jobs, and those that stand alone. */
export function podsOf(name: ChartCase): PodTemplate[] {
  const workloads = [...rendered(name, 'Deployment'), ...rendered(name, 'Job')].map(templateOf);
  return [...workloads, ...rendered(name, 'Pod').map((pod) => pod as unknown as PodTemplate)];
}
