/**
 * Runs a TypeScript entry of tools/: bundles it with the same builder as the apps and loads the result.
 * Usage: node tools/build/run-ts.mjs <entry.ts> [arguments]
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, workspaceRoot } from './bundle.mjs';

export async function runTypeScript(entry, args) {
  const name = entry.replace(/\.ts$/, '').replace(/[/\\]/g, '-');
  const outdir = join(workspaceRoot, 'dist', 'tools');
  await bundle({ entryPoints: { [name]: entry }, outdir });
  process.argv = [process.argv[0], join(outdir, `${name}.js`), ...args];
  createRequire(import.meta.url)(join(outdir, `${name}.js`));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [entry, ...args] = process.argv.slice(2);
  await runTypeScript(entry, args);
}
