import { join } from 'node:path';
import { bundle } from '../../tools/build/bundle.mjs';
import { buildPage } from './build-page.mjs';

/** Builds the server of the console's image, and next to it the page that it serves. Prints the size of the page. */
export default async function build({ outdir }) {
  const page = await buildPage(join(outdir, 'page'));
  process.stdout.write(`${page.size}\n`);
  const server = await bundle({
    entryPoints: { main: 'apps/console/src/server/main.ts' },
    outdir,
    bundlePackages: true,
  });
  return { metafiles: [...server.metafiles, page.metafile] };
}
