import { chooseRepository } from '../checkout/repository-choice';
import { readForgeVariables } from '../config/forge-variables';
import { serviceAddress } from '../config/service-address';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { ForgeClient } from './forge-client';
import { forgeToken, isForgeHost, isHosted } from './forge-token';

/** One repository on a forge. */
export interface Forge {
  client: ForgeClient;
  /** Base address of the forge's API, without a trailing slash. */
  apiUrl: string;
  /** Owner and name, as the API's paths use them. */
  at: { owner: string; repo: string };
}

export interface ForgeInput {
  /** Remote of the repository; default: the checkout's origin. */
  repository?: string;
  /** Base address of the forge's API; default: by the repository's host. */
  apiUrl?: string;
  /** Ends pending calls. */
  interrupted?: AbortSignal | undefined;
}

/**
 * The forge of a repository, called with the token for that repository's host. Rule G9.
 *
 * @throws Failure NOT_ON_A_FORGE, NO_FORGE_TOKEN, INVALID_ADDRESS, or the failure of an unknown repository
 */
export async function openForge({ repository, apiUrl, interrupted }: ForgeInput): Promise<Forge> {
  const { host, pathname } = new URL(await chooseRepository(repository));
  if (repository !== undefined && apiUrl === undefined) await expectKnownHost(host);
  const [owner, repo, ...rest] = pathname.split('/').filter((part) => part !== '');
  if (owner === undefined || repo === undefined || rest.length > 0) {
    throw new Failure('NOT_ON_A_FORGE', `${host}${pathname} is not an owner and a repository of a forge.`);
  }
  const address = serviceAddress(apiUrl ?? apiAddress(host), '--forge-url').replace(/\/{1,16}$/, '');
  const auth = await forgeToken(host, readForgeVariables());
  const { forgeClient } = await import('./forge-client.js');
  return {
    client: forgeClient({ baseUrl: address, auth, interrupted }),
    apiUrl: address,
    at: { owner, repo },
  };
}

/**
 * Checks that the host of a named repository may get a token: the name may be another's word, such as that of an agent.
 *
 * @throws Failure NO_FORGE_TOKEN
 */
async function expectKnownHost(host: string): Promise<void> {
  if (await isForgeHost(host, readForgeVariables())) return;
  const origin = await chooseRepository(undefined).catch(() => undefined);
  if (origin !== undefined && new URL(origin).host === host) return;
  throw new Failure(
    'NO_FORGE_TOKEN',
    `No token is sent to ${host}: it is not the host of the checkout's origin, and gh has no session with it.`,
    { details: { host }, next: nextStep('gh auth login --hostname', [host]) },
  );
}

/** The text that `--dry-run` prints for a call to the forge. Rule G2. */
export function plannedForgeCall({ apiUrl, at }: Forge, method: string, path: string): string {
  return `forge: ${method} ${apiUrl}/repos/${at.owner}/${at.repo}/${path}`;
}

function apiAddress(host: string): string {
  if (!isHosted(host)) return `https://${host}/api/v3`;
  return `https://api.${host}`;
}
