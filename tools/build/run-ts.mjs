/**
 * Runs a TypeScript entry of tools/: bundles it with the same builder as the apps, unless its sources are those of the last
 * bundle, and loads the result.
 * Usage: node tools/build/run-ts.mjs <entry.ts> [arguments]
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureFresh, sourcesOf } from './fresh.mjs';

const workspaceRoot = join(import.meta.dirname, '..', '..');

export async function runTypeScript(entry, args) {
  const name = entry.replace(/\.ts$/, '').replace(/[/\\]/g, '-');
  // Two levels below the root, as a tool's own folder is: a tool finds the root from there.
  const outdir = join(workspaceRoot, 'dist', name);
  await ensureFresh(outdir, { build: (folder) => bundleTool(name, entry, folder) });
  const program = join(outdir, `${name}.js`);
  process.argv = [process.argv[0], program, ...args];
  createRequire(import.meta.url)(program);
}

async function bundleTool(name, entry, outdir) {
  // Loads esbuild, which a fresh bundle does not need.
  const { bundle } = await import('./bundle.mjs');
  const { metafiles } = await bundle({ entryPoints: { [name]: entry }, outdir });
  return sourcesOf(metafiles);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [entry, ...args] = process.argv.slice(2);
  await runTypeScript(entry, args);
}
