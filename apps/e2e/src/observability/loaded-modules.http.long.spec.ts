import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { applyDirectory } from '@plat/database';
import {
  buildService,
  createTestDatabase,
  startService,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';

/** Serves the names of the files that the program has loaded. */
const REPORTER = `
  const http = require('node:http');
  http.createServer((_, answer) => answer.end(JSON.stringify(Object.keys(require.cache))))
    .listen(Number(process.env.REPORTER_PORT), '127.0.0.1').unref();`;
const FILES = ['fastify-otel.js', 'opentelemetry-library.js'];

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-loaded-'))]);
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  await writeFile(join(folder, 'reporter.js'), REPORTER);
  await buildService('reviews');
}, 120_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The files of telemetry that a running service has loaded. */
async function listLoadedFiles(variables: Record<string, string>): Promise<string[]> {
  const port = await freePort();
  const service = await startService('reviews', {
    DATABASE_URL: database.url('plat_reviews'),
    NODE_OPTIONS: `--require=${join(folder, 'reporter.js')}`,
    REPORTER_PORT: String(port),
    ...variables,
  });
  const paths = (await (await fetch(`http://127.0.0.1:${port}`)).json()) as string[];
  service.child.kill('SIGTERM');
  await service.exited;
  expect(paths.map((path) => basename(path))).toContain('main.js');
  return paths
    .map((path) => basename(path))
    .filter((name) => FILES.includes(name))
    .sort();
}

describe('a service', () => {
  it('loads nothing of telemetry if it is off', async () => {
    expect(await listLoadedFiles({})).toEqual([]);
    expect(
      await listLoadedFiles({ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
    ).toEqual([]);
  });

  it('loads it from files of its own if it is on', async () => {
    expect(await listLoadedFiles({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toEqual(FILES);
  });
});
