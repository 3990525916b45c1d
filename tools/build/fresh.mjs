import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from '../file-lock.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const STAMP = 'inputs.json';

/** The files on which every build depends, in addition to its sources. */
const COMMON = [
  'package-lock.json',
  'tsconfig.base.json',
  '.swcrc',
  'tools/build/build.mjs',
  'tools/build/bundle.mjs',
];

/**
 * Builds a folder unless what it has was built from the same sources. Processes that ask at once build it once.
 *
 * @param {string} outdir
 * @param {object} options
 * @param {string} [options.root] the folder that inputs are relative to
 * @param {(outdir: string) => Promise<string[]>} options.build fills a folder, and returns the paths of its sources
 */
export async function ensureFresh(outdir, { root = ROOT, build }) {
  if (await isFresh(outdir, root)) return;
  await withFileLock(`${outdir}.lock`, {}, async () => {
    if (await isFresh(outdir, root)) return;
    const made = `${outdir}.${process.pid}`;
    // Before the sources are read: one that changes meanwhile is newer than what was built.
    const startedMs = Date.now();
    await mkdir(dirname(outdir), { recursive: true });
    const inputs = await build(made);
    await writeFile(join(made, STAMP), JSON.stringify({ startedMs, inputs }));
    await rm(outdir, { recursive: true, force: true });
    await rename(made, outdir);
  });
}

/**
 * The files that bundles were made from, without npm's packages, which the lock file stands for.
 *
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {string[]} relative to the workspace root
 */
export function sourcesOf(metafiles) {
  const sources = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  // The path of a module that a plugin creates begins with the plugin's name and a colon.
  return [...new Set([...sources.filter((path) => !/^node_modules\/|:/.test(path)), ...COMMON])];
}

async function isFresh(outdir, root) {
  try {
    const { startedMs, inputs } = JSON.parse(await readFile(join(outdir, STAMP), 'utf8'));
    const sources = await Promise.all(inputs.map((path) => stat(join(root, path))));
    return sources.every(({ mtimeMs }) => mtimeMs < startedMs);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}
