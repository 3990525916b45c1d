import axios, { type AxiosInstance, type AxiosProxyConfig, type AxiosResponse } from 'axios';
import { proxyOf, proxyVariables } from '@plat/local';
import { transport } from './transport';

/** An answer with its text, which is not parsed. */
export type TextAnswer = AxiosResponse<string>;

/** An answer is larger than the caller reads. */
export class AnswerTooLarge extends Error {
  constructor(
    readonly bytesMax: number,
    /** Undefined if the connection does not say it. */
    readonly status: number | undefined,
  ) {
    super(`the answer is larger than ${Math.round(bytesMax / 1024 / 1024)} MiB`);
    this.name = 'AnswerTooLarge';
  }
}

export interface HttpOptions {
  /** Undefined: as long as the caller's signal allows. */
  timeoutSeconds?: number;
  /** Longest answer, in bytes after it is decompressed: a few compressed bytes can become a full memory. */
  answerBytesMax: number;
  headers?: Readonly<Record<string, string>>;
}

/**
 * The HTTP client for all servers of one address: the platform, or its identity provider. Never follows a redirect, which
 * could carry a token elsewhere. Goes by the proxy that the variables of the process name, and to this machine by none:
 * a proxy would read a token that is sent over plain http.
 */
export function httpClient(address: string, options: HttpOptions): AxiosInstance {
  const timeout = (options.timeoutSeconds ?? 0) * 1000;
  return axios.create({
    timeout,
    headers: { ...options.headers },
    maxRedirects: 0,
    maxContentLength: options.answerBytesMax,
    proxy: proxyTo(address),
    transport: transport(timeout),
    // The callers parse the body: axios would return a body that is not JSON as text, without an error.
    responseType: 'text',
    transformResponse: (text: unknown) => text,
    validateStatus: () => true,
  });
}

/** `false` also keeps axios from its own rules, by which another set of addresses goes without a proxy. */
function proxyTo(address: string): AxiosProxyConfig | false {
  const named = proxyOf(address, proxyVariables());
  if (named === undefined || !URL.canParse(named)) return false;
  const { protocol, hostname, port, username, password } = new URL(named);
  return {
    protocol,
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    auth: username === '' ? undefined : { username: decoded(username), password: decoded(password) },
  };
}

/** A person may have written a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The reason why a call has no answer. Anything but an error of the HTTP client is returned as it is. */
export function callFailure(error: unknown, { answerBytesMax }: HttpOptions): unknown {
  if (!axios.isAxiosError(error) || !error.message.startsWith('maxContentLength')) return error;
  const { res } = (error.request ?? {}) as { res?: { statusCode?: number } };
  return new AnswerTooLarge(answerBytesMax, res?.statusCode);
}

export interface TextRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Sends one request to another server than the platform, by the same rules.
 *
 * @throws AnswerTooLarge; the reason of the aborted signal; errors of the network
 */
export async function requestText(
  address: string,
  { method, headers, body, signal }: TextRequest,
  answerBytesMax: number,
): Promise<TextAnswer> {
  const options: HttpOptions = { answerBytesMax };
  try {
    return await httpClient(address, options).request<string>({
      url: address,
      method,
      headers,
      data: body,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw callFailure(error, options);
  }
}
