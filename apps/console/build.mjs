import { join } from 'node:path';
import { bundle } from '../../tools/build/bundle.mjs';
import { buildPage } from './build-page.mjs';

/** The server of the console's own image, and beside it the page that it serves. */
export default async function build({ outdir }) {
  const page = await buildPage(join(outdir, 'page'));
  const server = await bundle({
    entryPoints: { main: 'apps/console/src/server/main.ts' },
    outdir,
    bundlePackages: true,
  });
  return { metafiles: [...server.metafiles, page.metafile] };
}
