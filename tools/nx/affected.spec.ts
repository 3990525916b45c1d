import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SERVICES } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import { toolPath } from '../run-tool.mjs';
import { importsOf, isSource } from './imports.mjs';

const NX_MS = 120_000;

const nx = (...args: string[]) =>
  promisify(execFile)(process.execPath, [toolPath('nx'), ...args], {
    cwd: workspaceRoot(),
    maxBuffer: 2 ** 26,
    env: { ...process.env, NX_DAEMON: 'false', NO_COLOR: '1' },
  });

/** The services that nx builds again after a change of a file. */
async function servicesAffectedBy(file: string): Promise<string[]> {
  const args = ['show', 'projects', '--affected', `--files=${file}`, '--with-target=build', '--json'];
  const { stdout } = await nx(...args);
  const affected = new Set(JSON.parse(stdout) as string[]);
  return SERVICES.filter((service) => affected.has(service));
}

/** The services that depend on a project, itself included, by nx's graph. */
function servicesOver(project: string, dependencies: Dependencies): string[] {
  const over = new Set([project]);
  for (const one of over) {
    for (const [source, edges] of Object.entries(dependencies)) {
      if (edges.some(({ target }) => target === one)) over.add(source);
    }
  }
  return SERVICES.filter((service) => over.has(service));
}

async function readDependencies(): Promise<Dependencies> {
  const { stdout } = await nx('graph', '--file=stdout');
  return (JSON.parse(stdout) as { graph: { dependencies: Dependencies } }).graph.dependencies;
}

type Dependencies = Record<string, { target: string }[]>;

describe('nx affected', () => {
  it(
    'redeploys only the service whose contract has changed',
    async () => {
      expect(await servicesAffectedBy('libs/contracts/releases/src/index.ts')).toEqual(['releases']);
      const dependencies = await readDependencies();
      for (const service of SERVICES) {
        expect(servicesOver(`contracts-${service}`, dependencies)).toEqual([service]);
      }
    },
    NX_MS,
  );

  it(
    'redeploys every service after a change of what they share',
    async () => {
      expect(await servicesAffectedBy('libs/service/src/index.ts')).toEqual(SERVICES);
    },
    NX_MS,
  );
});

describe('the imports of a source', () => {
  it('are found on one line and several, as types, re-exports and dynamic imports', () => {
    const text = `import { a,
  b } from '@plat/database';
import type { C } from '@plat/contracts/core';
export { d } from '@plat/local';
const e = await import('@plat/service');
import x from './x';`;
    expect(importsOf(text)).toEqual([
      '@plat/database',
      '@plat/contracts/core',
      '@plat/local',
      '@plat/service',
    ]);
  });

  it.each([
    ['apps/reviews/src/main.ts', true],
    ['apps/reviews/src/main.spec.ts', false],
    ['apps/e2e/src/merge-flow.conformance.ts', false],
    ['apps/plat/src/black-box/stand.ts', false],
    ['apps/reviews/project.json', false],
  ])('%s counts: %s', (file, counts) => {
    expect(isSource(file)).toBe(counts);
  });
});
