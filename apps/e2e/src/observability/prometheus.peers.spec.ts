/**
 * @peers prometheus
 * @paths apps/audit apps/builds apps/platform apps/releases apps/reviews libs deploy apps/e2e/src tools/build
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { SERVICES } from '@plat/contracts/core';
import { execFile, MergeScene, type MetricsReader, peer, startMetricsReader } from '@plat/testing';
import { type FiveProcesses, startFiveProcesses } from '../five-processes';
import { alertRules, dashboardPanels, rulesTestFile } from './expressions';

const run = promisify(execFile);
const ASK_AGAIN_MS = 250;
/** A range of which Prometheus has several samples after seconds. */
const RANGE = '10s';

describe('the alarms, by promtool', () => {
  it('are valid', async () => {
    const { stdout } = await run(peer('promtool'), ['check', 'rules', rulesTestFile.replace('.test', '')]);
    expect(stdout).toContain(`${alertRules().length} rules found`);
  });

  it('fire for what they are for, and stay quiet otherwise', async () => {
    const { stdout } = await run(peer('promtool'), ['test', 'rules', rulesTestFile]);
    expect(stdout).toContain('SUCCESS');
  });

  it('each has a case that fires and one that stays quiet', () => {
    const { tests } = parse(readFileSync(rulesTestFile, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    for (const { alert } of alertRules()) {
      const own = cases.filter(({ alertname }) => alertname === alert);
      expect([alert, own.map(({ exp_alerts }) => exp_alerts.length > 0)]).toEqual([alert, [true, false]]);
    }
  });
});

describe('the dashboard, in Prometheus', () => {
  let services: FiveProcesses;
  let prometheus: MetricsReader;
  // Five programs are built first.
  beforeAll(async () => {
    services = await startFiveProcesses();
    prometheus = await startMetricsReader(services.addresses);
  }, 300_000);
  afterAll(async () => {
    await prometheus?.stop();
    await services?.stop();
  });

  it('each query of each panel returns data during a load', async () => {
    const up = async () => (await prometheus.query('up == 1')).length;
    while ((await up()) < SERVICES.length) await delay(ASK_AGAIN_MS);
    const queries = dashboardPanels().flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ title, expr: expr.replaceAll(/\$__(rate_interval|range)/g, RANGE) })),
    );
    const scene = await MergeScene.create(services);
    let silent = queries;
    const until = Date.now() + 60_000;
    // Rates need two samples of a series, and the queues are read at most every 30 seconds.
    while (silent.length > 0 && Date.now() < until) {
      await scene.mergeReview();
      for (const line of ['GET /v1/releases', 'GET /v1/audit-events', 'GET /v1/whoami'] as const) {
        await services.send('alice', line);
      }
      const answers = await Promise.all(
        silent.map(async (query) => ({ query, samples: await prometheus.query(query.expr) })),
      );
      silent = answers.filter(({ samples }) => samples.length === 0).map(({ query }) => query);
    }
    await scene.remove();
    expect(silent).toEqual([]);
  }, 120_000);
});
