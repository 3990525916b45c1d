/**
 * The worker process's program, a second entry of an app: the build bundles `entry` (from the workspace root) to
 * `<name>.js` in the folder of the app's bundle, where `Verifier` expects it.
 */
export const verifierWorker = {
  name: 'verifier-worker',
  entry: 'libs/verifier/src/worker/verifier-worker.ts',
} as const;
