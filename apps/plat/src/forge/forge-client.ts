import { forgeFailure } from './forge-failure';
import { Octokit, paginateRest } from './octokit-library.js';
import { tracedCall } from './traced-call';

const TIMEOUT_MILLISECONDS = 30_000;

/** Octokit. Every failure of a call is a `Failure`. */
export type ForgeClient = ReturnType<typeof forgeClient>;

export interface ForgeClientOptions {
  /** Base address of the forge's API. */
  baseUrl: string;
  /** A token for the API. */
  auth: string;
  /** Ends pending calls and refuses later ones; its reason is thrown. */
  interrupted?: AbortSignal | undefined;
}

export function forgeClient({ baseUrl, auth, interrupted }: ForgeClientOptions) {
  const client = new (Octokit.plugin(paginateRest))({ auth, baseUrl, userAgent: 'plat' });
  client.hook.wrap('request', async (request, options) => {
    interrupted?.throwIfAborted();
    const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    const signal = interrupted ? AbortSignal.any([interrupted, timeout]) : timeout;
    try {
      return await tracedCall(client.request.endpoint(options), async () =>
        request({ ...options, request: { ...options.request, signal } }),
      );
    } catch (error) {
      interrupted?.throwIfAborted();
      throw forgeFailure(error, baseUrl);
    }
  });
  return client;
}
