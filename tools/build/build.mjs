import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, workspaceRoot } from './bundle.mjs';

/**
 * Builds one project: by its own build.mjs if it has one, else its main.ts with all its npm packages.
 *
 * @param {string} projectRoot as `apps/reviews`
 * @param {string} [outdir] default: dist/<its folder>; what was in it is removed
 * @returns {Promise<import('esbuild').Metafile[]>} what its bundles were made from, if its build says so
 */
export async function buildProject(projectRoot, outdir = join(workspaceRoot, 'dist', projectRoot)) {
  const recipe = join(workspaceRoot, projectRoot, 'build.mjs');
  await rm(outdir, { recursive: true, force: true });
  if (existsSync(recipe)) {
    const { default: build } = await import(pathToFileURL(recipe).href);
    return (await build({ outdir }))?.metafiles ?? [];
  }
  const { metafiles } = await bundle({
    entryPoints: { main: join(projectRoot, 'src/main.ts') },
    outdir,
    bundlePackages: true,
    lazyFiles: true,
  });
  return metafiles;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [projectRoot, outdir] = process.argv.slice(2);
  if (!projectRoot) throw new Error('usage: node tools/build/build.mjs <project root> [output folder]');
  await buildProject(projectRoot, outdir);
}
