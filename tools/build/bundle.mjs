import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { build } from 'esbuild';

export const workspaceRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** esbuild emits no decorator metadata, which Nest and class-validator read: swc transpiles the TypeScript. */
const swcTypeScript = {
  name: 'swc-typescript',
  async setup(builder) {
    const swcrc = JSON.parse(await readFile(join(workspaceRoot, '.swcrc'), 'utf8'));
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const options = { ...swcrc, swcrc: false, filename: path, module: { type: 'es6' } };
      try {
        const { code } = await transform(await readFile(path, 'utf8'), options);
        return { contents: code, loader: 'js' };
      } catch (error) {
        // The rest of the message is the stack of swc itself.
        const [text] = String(error.message).split('\n\nCaused by:');
        return { errors: [{ text: text.trim() }] };
      }
    });
  },
};

/** Optional packages of Nest and TypeORM, such as other drivers, which they look for at run time. */
const optionalPackages = {
  name: 'optional-packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, async ({ path, importer, pluginData, ...place }) => {
      if (pluginData === optionalPackages || !importer.includes('node_modules')) return undefined;
      const found = await builder.resolve(path, { ...place, importer, pluginData: optionalPackages });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/** A module of ours over a large library, which few processes need. */
const OWN_LIBRARY = /^\.\/([\w-]+-library)\.js$/;

/**
 * Makes a file of its own next to the bundle for each package, and each of our own libraries, that is imported only when it
 * is needed, so that a program that never needs it does not read it. What is found is added to `lazy`, by the file's name.
 */
const lazyPackages = (lazy) => ({
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: /./ }, ({ path, kind, importer, resolveDir }) => {
      if (kind === 'entry-point' || importer.includes('node_modules')) return undefined;
      const [, own] = OWN_LIBRARY.exec(path) ?? [];
      if (own === undefined && (kind !== 'dynamic-import' || /^(\.|@plat\/)/.test(path))) return undefined;
      const name = own ?? path.replace('@', '').replaceAll('/', '-');
      lazy[name] = own === undefined ? path : join(resolveDir, `${own}.ts`);
      return { path: `./${name}.js`, external: true };
    });
  },
});

/**
 * Bundles the repository's sources (apps and `@plat/*` libs) into one CommonJS file per entry.
 * Packages from npm stay outside unless `bundlePackages` is set. With it a program starts in half the time and needs no
 * node_modules.
 *
 * @param {{entryPoints: Record<string, string>, outdir: string, bundlePackages?: boolean, lazyFiles?: boolean, plugins?: object[], options?: object}} input
 *   `lazyFiles`: packages that are imported when first needed become files of their own; `plugins`: asked first
 * @returns {Promise<import('esbuild').BuildResult & {metafiles: import('esbuild').Metafile[]}>} esbuild's result, and what
 *   all files were made from, those of lazy packages too
 */
export async function bundle({
  entryPoints,
  outdir,
  bundlePackages = false,
  lazyFiles = false,
  plugins = [],
  options = {},
}) {
  const lazy = {};
  const result = await build({
    absWorkingDir: workspaceRoot,
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    packages: bundlePackages ? 'bundle' : 'external',
    tsconfig: join(workspaceRoot, 'tsconfig.base.json'),
    keepNames: !bundlePackages,
    sourcemap: 'linked',
    logLevel: 'warning',
    sourcesContent: !bundlePackages,
    metafile: true,
    plugins: [
      ...plugins,
      swcTypeScript,
      ...(bundlePackages ? [optionalPackages] : []),
      ...(lazyFiles ? [lazyPackages(lazy)] : []),
    ],
    ...options,
  });
  const others =
    Object.keys(lazy).length > 0
      ? await bundle({ entryPoints: lazy, outdir, bundlePackages, plugins, options })
      : { metafiles: [] };
  return { ...result, metafiles: [result.metafile, ...others.metafiles] };
}
