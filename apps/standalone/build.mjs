import { join } from 'node:path';
import { bundle } from '../../tools/build/bundle.mjs';
import { buildPage } from '../console/build-page.mjs';

/**
 * The service, with the program of the verifier's worker processes and the console's page.
 *
 * @returns {Promise<{metafiles: import('esbuild').Metafile[], folders: string[]}>} what the bundles were made from, and the
 *   folders whose files the build or the service reads as they are
 */
export default async function build({ outdir }) {
  const page = await buildPage(join(outdir, 'console'));
  const service = await bundle({
    entryPoints: {
      main: 'apps/standalone/src/main.ts',
      'verifier-worker': 'libs/verifier/src/worker/verifier-worker.ts',
    },
    outdir,
  });
  return {
    metafiles: [...service.metafiles, page.metafile],
    folders: ['apps/console/assets', 'libs/database/migrations', 'libs/database/functions'],
  };
}
