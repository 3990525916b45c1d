import { boundFetch } from '@plat/api-client';
import { withTimeLimit } from '@plat/local';
import { Failure } from '../terminal/failure';
import { forgeFailure } from './forge-failure';
import { Octokit, paginateRest } from './octokit-library.js';
import { expectOwnAddress, pageCounter } from './page-bounds';
import { traceCall } from './traced-call';

const TIMEOUT_MILLISECONDS = 30_000;
/** Longest answer of a forge, in bytes. A page has a hundred entries at most. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

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
  const client = new (Octokit.plugin(paginateRest))({
    auth,
    baseUrl,
    userAgent: 'plat',
    request: { fetch: boundFetch(ANSWER_BYTES_MAX) },
  });
  client.hook.wrap('request', async (request, options) => {
    interrupted?.throwIfAborted();
    expectOwnAddress(options.url, baseUrl);
    const signal = interrupted
      ? withTimeLimit(interrupted, TIMEOUT_MILLISECONDS)
      : AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    try {
      const answer = await traceCall(client.request.endpoint(options), async () =>
        request({ ...options, request: { ...options.request, signal } }),
      );
      expectNoRedirect(answer.status, `${options.method} ${options.url}`);
      return answer;
    } catch (error) {
      interrupted?.throwIfAborted();
      throw forgeFailure(error, baseUrl);
    }
  });
  client.paginate = withBound(client.paginate);
  return client;
}

type ReadPage = (response: { data: unknown }, done: () => void) => unknown;

/** The same function, which reads no listing without an end. */
function withBound<Paginate extends { iterator: unknown }>(paginate: Paginate): Paginate {
  const all = paginate as unknown as (route: string, parameters: object, read: ReadPage) => Promise<unknown>;
  const bounded = (route: string, parameters: object, read: ReadPage = ({ data }) => data) => {
    const count = pageCounter();
    return all(route, parameters, (response, done) => {
      count();
      return read(response, done);
    });
  };
  return Object.assign(bounded, { iterator: paginate.iterator }) as unknown as Paginate;
}

/** The library takes a redirect that was not followed for a success. */
function expectNoRedirect(status: number, call: string): void {
  if (status < 300) return;
  throw new Failure('FORGE_REFUSED', `The forge answered ${status} to ${call}: the repository has moved.`, {
    details: { status, call },
    next: 'give the repository by its present name: --repository',
  });
}
