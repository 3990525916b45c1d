import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, workspaceRoot } from './bundle.mjs';

/**
 * Builds one app into dist/<its folder>: by its own build.mjs if it has one, else its main.ts with all its npm packages.
 * Usage: node tools/build/build.mjs <project root> [output folder]
 */
const [projectRoot, outdir = join(workspaceRoot, 'dist', projectRoot ?? '')] = process.argv.slice(2);
if (!projectRoot) throw new Error('usage: node tools/build/build.mjs <project root> [output folder]');
const recipe = join(workspaceRoot, projectRoot, 'build.mjs');

await rm(outdir, { recursive: true, force: true });
if (existsSync(recipe)) {
  const { default: build } = await import(pathToFileURL(recipe).href);
  await build({ outdir });
} else {
  await bundle({
    entryPoints: { main: join(projectRoot, 'src/main.ts') },
    outdir,
    bundlePackages: true,
    lazyFiles: true,
  });
}
