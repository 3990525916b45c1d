/**
 * Builds a project unless the folder has it from the same sources.
 * Usage: node tools/build/fresh-project.mjs <project root> <output folder>
 */
import { resolve } from 'node:path';
import { ensureFresh } from './fresh.mjs';

/** The files on which every build depends, in addition to its sources. */
const COMMON = [
  'package-lock.json',
  'tsconfig.base.json',
  '.swcrc',
  'tools/build/build.mjs',
  'tools/build/bundle.mjs',
];

/** Builds a project as `npm run build` does. @returns its sources without npm's packages, which the lock file stands for */
async function buildFrom(projectRoot, outdir) {
  // Loads esbuild, which a fresh folder does not need.
  const { buildProject } = await import('./build.mjs');
  const metafiles = await buildProject(projectRoot, outdir);
  const sources = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  // The path of a module that a plugin creates begins with the plugin's name and a colon.
  return [...new Set([...sources.filter((path) => !/^node_modules\/|:/.test(path)), ...COMMON])];
}

const [projectRoot, outdir] = process.argv.slice(2);
if (!outdir) throw new Error('usage: node tools/build/fresh-project.mjs <project root> <output folder>');
await ensureFresh(resolve(outdir), { build: (folder) => buildFrom(projectRoot, folder) });
