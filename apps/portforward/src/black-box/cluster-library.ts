/** A busy machine takes longer to load the library than a test may take: jest compiles its many modules. */
const LOAD_MILLISECONDS_MAX = 300_000;

/** Loads the library that reads kubeconfigs before the tests of the file, so that no test and no connection waits for it. */
export function loadClusterLibrary(): void {
  beforeAll(() => import('@kubernetes/client-node/dist/config.js'), LOAD_MILLISECONDS_MAX);
}
