import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { peer } from '../peers/peer';
import { execFileSync } from '../starter/child-process';

/** The cases of the chart of the services of which the repository keeps what helm renders. */
export const GOLDEN_CHARTS = ['defaults', 'everything'] as const;
/** The others, which helm renders for the tests. */
export const HELM_CHARTS = ['cloudnativepg', 'ingress'] as const;

export type ChartCase = (typeof GOLDEN_CHARTS)[number] | (typeof HELM_CHARTS)[number];

export const isGoldenChart = (name: ChartCase): boolean =>
  (GOLDEN_CHARTS as readonly string[]).includes(name);

/** The values of a case, from the repository's root. */
export const chartValuesFile = (name: ChartCase): string =>
  `deploy/charts/${isGoldenChart(name) ? 'golden/plat/values' : 'cases'}/${name}.yaml`;

const rendered = new Map<ChartCase, string>();

/**
 * Returns what helm renders for a case: of a golden one its file, which a peers' test compares.
 *
 * @throws Error if the case is not golden and helm 3 is no peer of this run
 */
export function renderedChart(name: ChartCase): string {
  const present = rendered.get(name) ?? (isGoldenChart(name) ? readGolden(name) : render(name));
  rendered.set(name, present);
  return present;
}

function readGolden(name: ChartCase): string {
  const file = join(workspaceRoot(), 'deploy', 'charts', 'golden', 'plat', `${name}.yaml`);
  return readFileSync(file, 'utf8').replace(/^#.*\n/, '');
}

function render(name: ChartCase): string {
  const args = ['template', 'plat', 'deploy/charts/plat', '--namespace', 'plat'];
  return execFileSync(peer('helm3'), [...args, '--values', chartValuesFile(name)], {
    cwd: workspaceRoot(),
    encoding: 'utf8',
  });
}
