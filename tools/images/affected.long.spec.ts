import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile, testEnvironment } from '@plat/testing';

/** Those that share the contracts. The image of a runtime pod holds the client. */
const ALL = ['audit', 'builds', 'db', 'platform', 'releases', 'reviews', 'runtime'];

/** The projects whose image `nx affected` builds after a change of one file. */
async function listAffected(file: string): Promise<string[]> {
  const nx = join(workspaceRoot(), 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const args = [nx, 'show', 'projects', '--affected', `--files=${file}`, '--with-target=image', '--json'];
  const env = { ...testEnvironment(), NX_DAEMON: 'false' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: workspaceRoot(), env });
  return (JSON.parse(stdout) as string[]).sort();
}

describe('nx affected builds the images of', () => {
  it.each([
    ['one service, after a change of its contract', 'libs/contracts/builds/src/index.ts', ['builds']],
    ['the pod, after a change of the client', 'apps/plat/src/main.ts', ['runtime']],
    ['the pod, after a change of its Dockerfile', 'deploy/images/runtime/Dockerfile', ['runtime']],
    [
      'all, after a change of what all contracts share',
      'libs/contracts/core/src/index.ts',
      [...ALL, 'console'].sort(),
    ],
    ['all, after a change of the Dockerfile', 'deploy/images/Dockerfile', [...ALL, 'console'].sort()],
    [
      'the console, after a change of a page, whose file ends in .tsx',
      'apps/console/src/frame.tsx',
      ['console'],
    ],
    ['none, after a change of what only specs import', 'libs/testing/src/index.ts', []],
  ])('%s', async (_case, file, projects) => {
    expect(await listAffected(file)).toEqual(projects);
  });
});
