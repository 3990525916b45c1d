import { forgeFailure } from './forge-failure';
import { tracedCall } from './traced-call';
import { Octokit, paginateRest } from './octokit-library.js';

const TIMEOUT_MILLISECONDS = 30_000;

/** Octokit; every failure of a call is a `Failure`. */
export type ForgeClient = ReturnType<typeof forgeClient>;

/** @param baseUrl of the forge's API. @param auth a token of it */
export function forgeClient(baseUrl: string, auth: string) {
  const client = new (Octokit.plugin(paginateRest))({ auth, baseUrl, userAgent: 'plat' });
  client.hook.wrap('request', async (request, options) => {
    const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    try {
      return await tracedCall(client.request.endpoint(options), async () =>
        request({ ...options, request: { ...options.request, signal } }),
      );
    } catch (error) {
      throw forgeFailure(error, baseUrl);
    }
  });
  return client;
}
