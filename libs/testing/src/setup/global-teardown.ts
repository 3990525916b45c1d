import { stopKept } from './running-cluster';

/** Stops the PostgreSQL of the run and removes its folder. */
export default async function stopTestCluster(): Promise<void> {
  await stopKept();
}
