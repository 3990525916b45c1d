import { join } from 'node:path';
import { bundle } from '../../tools/build/bundle.mjs';
import { buildPage } from '../console/build-page.mjs';

/** The service, and beside it the program of the verifier's worker processes and the console's page. */
export default async function build({ outdir }) {
  await buildPage(join(outdir, 'console'));
  return bundle({
    entryPoints: {
      main: 'apps/standalone/src/main.ts',
      'verifier-worker': 'libs/verifier/src/worker/verifier-worker.ts',
    },
    outdir,
  });
}
