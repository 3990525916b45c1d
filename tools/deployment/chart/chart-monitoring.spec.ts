import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVICES } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import { CASES, rendered } from './plat-chart';

const source = (file: string) => readFileSync(join(workspaceRoot(), 'deploy/observability', file), 'utf8');
type Labelled = { spec: { selector: { matchLabels: Record<string, string> } } };

describe('what watches the services', () => {
  it('reads each Service as a job whose name the alarms expect', () => {
    const services = rendered('everything', 'Service');
    const monitors = rendered('everything', 'ServiceMonitor') as unknown as Labelled[];
    const jobs = monitors.map(({ spec }) => {
      const wanted = Object.entries(spec.selector.matchLabels);
      const found = services.filter(({ metadata }) =>
        wanted.every(([key, value]) => metadata.labels[key] === value),
      );
      expect(found).toHaveLength(1);
      return found[0]!.metadata.name;
    });
    expect(jobs).toEqual(SERVICES.map((name) => `plat-${name}`));
    const [expected] = /job=~"([^"]+)"/.exec(source('rules.yaml'))!.slice(1);
    for (const job of jobs) expect(job).toMatch(new RegExp(`^${expected}$`));
  });

  it('has the alarms of deploy/observability', () => {
    const [rule] = rendered('everything', 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(source('rules.yaml')));
  });

  it('has the dashboard of deploy/observability', () => {
    const [map] = rendered('everything', 'ConfigMap') as unknown as { data: Record<string, string> }[];
    expect(JSON.parse(map!.data['plat.json']!)).toEqual(JSON.parse(source('dashboard.json')));
  });

  it.each(CASES.filter((name) => name !== 'everything'))(
    'is not there unless the values ask for it: %s',
    (name) => {
      const kinds = ['ServiceMonitor', 'PrometheusRule', 'ConfigMap'].flatMap((kind) => rendered(name, kind));
      expect(kinds).toEqual([]);
    },
  );
});
