import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { verifierWorker } from '@plat/verifier';

const sourcesRoot = join(__dirname, '../../../..');

let built: Promise<string> | undefined;

/**
 * The verifier's worker program as a file, for `new Verifier(config, { workerFile })`: a worker process can't load TypeScript.
 * A run of tests has built it, and names it in PLAT_TEST_VERIFIER_WORKER. Processes may build it at the same time, so each
 * builds under a name of its own and renames it.
 *
 * @param workspaceRoot for a caller that is a bundle itself and lies elsewhere than this source
 */
export function verifierWorkerFile(workspaceRoot: string = sourcesRoot): Promise<string> {
  const ofRun = process.env.PLAT_TEST_VERIFIER_WORKER;
  built ??= ofRun === undefined ? bundle(workspaceRoot) : Promise.resolve(ofRun);
  return built;
}

async function bundle(workspaceRoot: string): Promise<string> {
  const folder = join(workspaceRoot, 'dist/testing');
  await mkdir(folder, { recursive: true });
  const own = join(folder, `${verifierWorker.name}.${process.pid}.js`);
  await build({
    absWorkingDir: workspaceRoot,
    entryPoints: [verifierWorker.entry],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    tsconfig: join(workspaceRoot, 'tsconfig.base.json'),
    logLevel: 'error',
  });
  // esbuild's service process would keep a test process from ending.
  await stop();
  const file = join(folder, `${verifierWorker.name}.js`);
  await rename(own, file);
  return file;
}
