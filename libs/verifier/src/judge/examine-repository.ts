import { fetchAddress } from '@plat/remote';
import { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { GuardedHttp } from '../transport/guarded-http';
import { localGit } from '../transport/local-git';

/** Whether a repository can be read, for its operator: the cause is not for tenants. */
export type RepositoryExamination =
  { address: string; readable: true } | { address: string | undefined; readable: false; cause: string };

/** Opens a repository as a verification does, in this process, and reads nothing more. */
export async function examineRepository(
  remoteUrl: string,
  config: VerifierConfig,
): Promise<RepositoryExamination> {
  const address = fetchAddress(remoteUrl);
  if (address === undefined) return { address, readable: false, cause: 'this is no address of a repository' };
  const network = new GuardedHttp(config);
  const budget = new Budget(config.caps);
  const limits = { budget, signal: AbortSignal.timeout(config.caps.totalMs) };
  try {
    const http = address.startsWith('file:') ? localGit(config, limits) : network.open(limits);
    await RemoteRepository.open(http, address, { budget });
    return { address, readable: true };
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    return { address, readable: false, cause: error.message };
  } finally {
    network.close();
  }
}
