import axios, { isAxiosError, type AxiosInstance } from 'axios';
import type { PlatformAlias } from '../config/cloud-alias';
import type { AccessTokens } from './access-token';
import { callFailure } from './api';

/** A MERGED report is answered after the service has fetched the repository, which may take it a minute. */
const ANSWER_MILLISECONDS_MAX = 120_000;

/** An HTTP client for calls that need no sign-in. */
export function publicHttp(apiUrl: string): AxiosInstance {
  // The API never redirects; following one could carry a token elsewhere.
  return axios.create({ baseURL: apiUrl, timeout: ANSWER_MILLISECONDS_MAX, maxRedirects: 0 });
}

/**
 * An HTTP client whose calls carry the access token of the alias's session. A call that is refused with 401 is
 * repeated once with a renewed token: the service may have stopped accepting the first before it expired.
 */
export function authenticatedHttp(alias: PlatformAlias, tokens: AccessTokens): AxiosInstance {
  const [http, repeating] = [publicHttp(alias.apiUrl), publicHttp(alias.apiUrl)];
  http.interceptors.request.use(async (config) => {
    config.headers.set('Authorization', bearer(await tokens.current()));
    return config;
  });
  http.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || error.response?.status !== 401 || !error.config) throw error;
    const refused = String(error.config.headers.get('Authorization')).slice(bearer('').length);
    error.config.headers.set('Authorization', bearer(await tokens.after(refused)));
    return repeating.request(error.config);
  });
  return http;
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** One call that no function of the client stands for. */
export interface RawCall {
  method: string;
  /** Path and query, as `apiPath` accepts them. */
  path: string;
  body?: unknown;
}

/** @returns the body of the answer; null when it has none. @throws Failure with the API's code */
export async function rawCall(http: AxiosInstance, { method, path, body }: RawCall): Promise<unknown> {
  try {
    const { data } = await http.request<unknown>({ method, url: path, data: body });
    return data === '' ? null : data;
  } catch (error) {
    throw callFailure(error, http.defaults.baseURL ?? '');
  }
}
