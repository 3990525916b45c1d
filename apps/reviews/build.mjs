import { bundle } from '../../tools/build/bundle.mjs';

/** Builds the service, and next to it the program of the verifier's worker processes. */
export default function build({ outdir }) {
  return bundle({
    entryPoints: {
      main: 'apps/reviews/src/main.ts',
      'verifier-worker': 'libs/verifier/src/worker/verifier-worker.ts',
    },
    outdir,
    bundlePackages: true,
    lazyFiles: true,
  });
}
