import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from './bundle.mjs';

/** Builds an app by its own build.mjs, including the programs of worker processes, and runs its main.js in this process. */
export async function runApp(projectRoot, args) {
  const outdir = join(workspaceRoot, 'dist', 'run', projectRoot);
  const { default: build } = await import(pathToFileURL(join(workspaceRoot, projectRoot, 'build.mjs')).href);
  await build({ outdir });
  const main = join(outdir, 'main.js');
  process.argv = [process.argv[0], main, ...args];
  createRequire(import.meta.url)(main);
}
