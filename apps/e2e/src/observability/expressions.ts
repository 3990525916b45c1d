import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(__dirname, '../../../../deploy/observability');

/** An expression of PromQL, and where it stands. */
export interface Expression {
  place: string;
  text: string;
}

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

interface Panel {
  title: string;
  targets: { expr: string }[];
}

export function alertRules(): Rule[] {
  const { groups } = parse(readFileSync(join(folder, 'rules.yaml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export const rulesTestFile = join(folder, 'rules.test.yaml');

export function dashboardPanels(): Panel[] {
  return (JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as { panels: Panel[] }).panels;
}

/** All expressions of the dashboard and the alarms. */
export function allExpressions(): Expression[] {
  return [
    ...dashboardPanels().flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ place: title, text: expr })),
    ),
    ...alertRules().map(({ alert, expr }) => ({ place: alert, text: expr })),
  ];
}

/** The metrics that an expression reads, with the labels that it selects or groups by. */
export function namesIn(text: string): { metrics: string[]; labels: string[] } {
  const metrics = [...text.matchAll(/\b(?:plat|nodejs|process)_\w+|\bup\b/g)].map(([name]) => name);
  const selected = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) =>
    [...inside!.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!),
  );
  const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside]) => inside!.split(/, */));
  return { metrics, labels: [...selected, ...grouped] };
}

/** The labels of each metric that an answer of `/metrics` declares or shows, by its name. */
export function metricsOf(text: string): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, declared] = /^# TYPE (\w+)/.exec(line) ?? [];
    if (declared !== undefined) metrics.set(declared, new Set());
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = metrics.get(name) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    metrics.set(name, known);
  }
  return metrics;
}
