import { forgeFailure } from './forge-failure';
import { Octokit, paginateRest } from './octokit-library.js';
import { tracedCall } from './traced-call';

const TIMEOUT_MILLISECONDS = 30_000;

/** Octokit; every failure of a call is a `Failure`. */
export type ForgeClient = ReturnType<typeof forgeClient>;

export interface ForgeClientOptions {
  /** Of the forge's API. */
  baseUrl: string;
  /** A token of it. */
  auth: string;
  /** Ends a call that waits, and refuses any after it; what it was aborted with is thrown. */
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
