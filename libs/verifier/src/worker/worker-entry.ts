/**
 * The worker process's program, a second entry beside an app's own: the build bundles `entry` (from the workspace
 * root) to `<name>.js` in the folder of the app's bundle, where `Verifier` looks for it.
 */
export const verifierWorker = {
  name: 'verifier-worker',
  entry: 'libs/verifier/src/worker/verifier-worker.ts',
} as const;
