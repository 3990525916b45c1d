import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MergeScene, MergeStand } from '@plat/testing';
import { ALL_SERVICES } from '../all-services';
import { alertRules, allExpressions, dashboardPanels, metricsOf, namesIn } from './expressions';

const OPERATIONS = readFileSync(join(__dirname, '../../../../docs/operations.md'), 'utf8');
/** Labels that Prometheus adds. */
const OF_PROMETHEUS = ['job', 'instance'];

let stand: MergeStand;
/** The labels of each metric, by its name. */
let shown: Map<string, Set<string>>;
beforeAll(async () => {
  stand = await MergeStand.start(...ALL_SERVICES);
  const repository = await stand.repository();
  await repository.mergeReview();
  await landBranch(repository);
  await stand.service.send('ci', 'POST /v1/gate-runs', {
    sourceBranch: 'topic',
    targetBranch: 'main',
    sourceCommit: 'a'.repeat(40),
    mergeCommit: 'a'.repeat(40),
  });
  let figures = '';
  // The service compares a merge with earlier landings after it has answered.
  while (!figures.includes('plat_merges_examined_total{')) {
    figures = await (await fetch(`${stand.service.url}/metrics`)).text();
  }
  shown = metricsOf(figures);
});

/** Merges a review whose branch is in the repository. */
async function landBranch(repository: MergeScene): Promise<void> {
  const { scene, git } = repository;
  const { id, sourceBranch } = await repository.proposeReview();
  await scene.build(id);
  await git.switch('main');
  const commitId = await git.squash(sourceBranch);
  const { status } = await repository.report(id, await scene.build(id, { kind: 'GATE', commitId }));
  expect(status).toBe(200);
}

afterAll(async () => {
  await stand?.removeRepositories();
  await stand?.stop();
});

describe('the dashboard and the alarms', () => {
  it.each(allExpressions())('$place reads metrics and labels that a service shows: $text', ({ text }) => {
    const { metrics, labels } = namesIn(text);
    expect(metrics.length).toBeGreaterThan(0);
    const own = metrics.filter((name) => name !== 'up');
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
    const known = new Set([...OF_PROMETHEUS, ...own.flatMap((name) => [...shown.get(name)!])]);
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });

  it('every metric of plat is on the dashboard, in an alarm or in docs/operations.md', () => {
    const used = new Set(allExpressions().flatMap(({ text }) => namesIn(text).metrics));
    const plain = (name: string) => name.replace(/_(bucket|count|sum)$/, '');
    const known = new Set([...used].map(plain));
    const unused = [...shown.keys()].filter((name) => name.startsWith('plat_') && !known.has(plain(name)));
    expect(unused.filter((name) => !OPERATIONS.includes(name))).toEqual([]);
  });

  it('no label names a tenant, a user or a repository', () => {
    const labels = new Set([...shown.values()].flatMap((names) => [...names]));
    expect(
      [...labels].filter((label) => /tenant|user|repo|organi|review|branch|host|path/.test(label)),
    ).toEqual([]);
  });

  it('has panels that each ask something, and no two of one title', () => {
    const titles = dashboardPanels().map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(10);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe('each alarm', () => {
  it.each(alertRules())('$alert names its section of docs/operations.md', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    const section = OPERATIONS.split(`### ${alert}\n`)[1]?.split('\n### ')[0];
    expect(section).toMatch(/\nLook: [^]*\nDo: /);
  });

  it('has a section, and each section an alarm', () => {
    const sections = [...OPERATIONS.matchAll(/^### (Plat\w+)$/gm)].map(([, name]) => name!);
    expect(sections.sort()).toEqual(
      alertRules()
        .map(({ alert }) => alert)
        .sort(),
    );
  });
});
