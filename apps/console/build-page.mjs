import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { workspaceRoot } from '../../tools/build/bundle.mjs';

/** The whole console, compressed. */
const LIMIT_BYTES = 40_000;

const source = join(workspaceRoot, 'apps', 'console');

/**
 * Builds the page: assets whose names have a hash of their content, and two HTML files that name them.
 *
 * @param {string} outdir
 * @returns {Promise<{metafile: import('esbuild').Metafile, size: string}>} what it was made from, and its size in words
 * @throws Error if it is larger than 40 KB
 */
export async function buildPage(outdir) {
  const { metafile } = await build({
    absWorkingDir: workspaceRoot,
    entryPoints: {
      console: join(source, 'src', 'main.tsx'),
      'signed-in': join(source, 'src', 'sign-in', 'signed-in-page.ts'),
      style: join(source, 'assets', 'style.css'),
      icon: join(source, 'assets', 'icon.svg'),
    },
    outdir: join(outdir, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // The oldest with AbortSignal.any, which the console calls.
    target: ['chrome116', 'firefox124', 'safari17.4'],
    loader: { '.svg': 'copy' },
    legalComments: 'none',
    tsconfig: join(source, 'tsconfig.json'),
    logLevel: 'warning',
    metafile: true,
  });
  const assets = Object.keys(metafile.outputs).map((file) => basename(file));
  await writePages(outdir, assets);
  await removeOthers(join(outdir, 'assets'), assets);
  const bytes = await countCompressedBytes(outdir);
  const size = `The console has ${(bytes / 1000).toFixed(1)} KB, compressed; ${LIMIT_BYTES / 1000} KB are the limit.`;
  if (bytes > LIMIT_BYTES) throw new Error(size);
  return { metafile, size };
}

/** Replaces `{{console.js}}` by the name of that asset, with its hash. */
async function writePages(outdir, assets) {
  await mkdir(outdir, { recursive: true });
  for (const page of ['index.html', 'signed-in.html']) {
    const template = await readFile(join(source, 'assets', page), 'utf8');
    const text = template.replace(/\{\{(.+?)\.(\w+)\}\}/g, (_place, stem, extension) => {
      const asset = assets.find((name) => name.startsWith(`${stem}-`) && name.endsWith(`.${extension}`));
      if (asset === undefined) throw new Error(`${page} names ${stem}.${extension}, which is not built.`);
      return asset;
    });
    await writeFile(join(outdir, page), text);
  }
}

/** Assets of earlier builds. Those of this one stay where they are, for a program that reads them at this moment. */
async function removeOthers(folder, assets) {
  const others = (await readdir(folder)).filter((name) => !assets.includes(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

async function countCompressedBytes(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async ({ parentPath, name }) => gzipSync(await readFile(join(parentPath, name)), { level: 9 }).length,
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
