/**
 * Builds a project unless the folder has it from the same sources.
 * Usage: node tools/build/fresh-project.mjs <project root> <output folder>
 */
import { resolve } from 'node:path';
import { ensureFresh, sourcesOf } from './fresh.mjs';

/** Builds a project as `npm run build` does. @returns its sources */
async function buildFrom(projectRoot, outdir) {
  // Loads esbuild, which a fresh folder does not need.
  const { buildProject } = await import('./build.mjs');
  return sourcesOf(await buildProject(projectRoot, outdir));
}

const [projectRoot, outdir] = process.argv.slice(2);
if (!outdir) throw new Error('usage: node tools/build/fresh-project.mjs <project root> <output folder>');
await ensureFresh(resolve(outdir), { build: (folder) => buildFrom(projectRoot, folder) });
