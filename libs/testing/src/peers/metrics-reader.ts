import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** Prometheus, which reads `/metrics` of some addresses every second. */
export interface MetricsReader {
  /** The value of each series that an expression of PromQL selects, with its labels. */
  query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]>;
  stop(): Promise<void>;
}

/** @param addresses base addresses, by the job's name that their series are labelled with */
export async function startMetricsReader(addresses: Record<string, string>): Promise<MetricsReader> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-prometheus-'));
  const port = await findFreePort();
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: Object.entries(addresses).map(([name, url]) => ({
      job_name: name,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  };
  const file = join(folder, 'prometheus.yml');
  // Prometheus reads YAML, and any JSON text is valid YAML.
  await writeFile(file, JSON.stringify(configuration));
  const server = await startServerProcess({
    program: peer('prometheus'),
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ready: /Server is ready to receive web requests/,
  });
  return {
    query: async (expression) => {
      const parameters = new URLSearchParams({ query: expression });
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${parameters.toString()}`);
      const { data } = (await answer.json()) as { data: { result: Sample[] } };
      return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

interface Sample {
  metric: Record<string, string>;
  /** Time and value. */
  value: [number, string];
}
