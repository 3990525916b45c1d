import { Budget } from '../budget';
import { embeddedVerifierConfig } from '../config';
import { localGit } from '../transport/local-git';
import { RemoteWaits } from '../transport/remote-waits';
import { RemoteRepository } from './remote-repository';

/** For specs: reads a repository in a folder of this machine, without the question around it. */
export async function openInProcess(
  address: string,
  expected: string[],
): Promise<{ remote: RemoteRepository; budget: Budget; end(): void }> {
  const budget = new Budget(embeddedVerifierConfig.caps);
  const total = new AbortController();
  const http = localGit(embeddedVerifierConfig, {
    budget,
    signal: total.signal,
    waits: new RemoteWaits(),
  });
  const remote = await RemoteRepository.open(http, address, { budget, expected });
  return { remote, budget, end: () => total.abort() };
}
