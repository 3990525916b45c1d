import { stopKept } from './kept-stops';

/** Stops the servers of the run and removes their folders. */
export default async function tearDown(): Promise<void> {
  await stopKept();
}
