import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { RemoteFailure, refused, unreadable } from '../remote-failure';
import { isAddressAllowed } from './address-policy';
import { joinBody, type GitHttp, type GitHttpRequest, type GitHttpResponse } from './git-http';
import { resolveHost } from './resolve-host';

/** The only headers that leave; above all neither `authorization` nor `cookie`. */
const SENT_HEADERS = new Set(['accept', 'content-type', 'git-protocol']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The only way from the verifier to the network. Its guards, in the order in which a request meets them:
 *
 * 1. scheme: https, and http where the deployment allows it; no user name, password, query or fragment in a remote
 * 2. host: an IP literal is vetted here, a name by the agent's `lookup`: all its addresses are resolved once and
 *    vetted, and the socket is opened to one of these (address-policy.ts, resolve-host.ts)
 * 3. no proxy variables (node:http reads none), no credentials, no cookies, an agent of our own
 * 4. one redirect at most, on GET only, to the same origin or from http to https of the same host
 * 5. status 200 only; every other answer is the same failure as a closed port
 * 6. `accept-encoding: identity`, and an encoded answer is refused
 * 7. caps: bytes and requests (Budget), silence of `idleMs`, and `signal` for the whole verification
 */
export class GuardedHttp {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  constructor(private readonly config: VerifierConfig) {
    const options = {
      keepAlive: true,
      maxSockets: 2,
      timeout: config.caps.idleMs,
      lookup: guardedLookup(config),
    };
    this.http = new HttpAgent(options);
    const { certificateAuthorities = [] } = config;
    this.https = new HttpsAgent({ ...options, ca: [...rootCertificates, ...certificateAuthorities] });
  }

  /** @param limits of one verification; its requests share the budget and end with the signal */
  open(limits: { budget: Budget; signal: AbortSignal }): GitHttp {
    return { request: (request) => this.request(request, limits) };
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private async request(
    request: GitHttpRequest,
    { budget, signal }: { budget: Budget; signal: AbortSignal },
  ): Promise<GitHttpResponse> {
    const first = new URL(request.url);
    let url = first;
    let answer = await this.exchange(url, request, { budget, signal });
    const location = redirectOf(request, answer);
    if (location !== undefined) {
      answer.destroy();
      url = vetRedirect(first, location);
      answer = await this.exchange(url, request, { budget, signal });
    }
    try {
      vetAnswer(answer);
    } catch (failure) {
      answer.destroy();
      throw failure;
    }
    return {
      url: url.href,
      method: request.method ?? 'GET',
      statusCode: 200,
      statusMessage: 'OK',
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
      body: this.read(answer, budget),
    };
  }

  private async exchange(
    url: URL,
    request: GitHttpRequest,
    { budget, signal }: { budget: Budget; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    vetUrl(url, this.config);
    budget.chargeRequest();
    const body = await joinBody(request.body);
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      agent: url.protocol === 'https:' ? this.https : this.http,
      headers: { ...sentHeaders(request), ...(body.length > 0 ? { 'content-length': body.length } : {}) },
      signal,
    };
    return this.send(url, options, body);
  }

  private send(url: URL, options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
        clearTimeout(idle);
        resolve(answer);
      });
      const idle = setTimeout(() => sent.destroy(unreadable('no answer in time')), this.config.caps.idleMs);
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(idle);
        // The server closed a kept connection just when it was used again: that says nothing about the request.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.send(url, options, body));
        else reject(asFailure(error));
      });
      sent.end(body);
    });
  }

  private async *read(answer: IncomingMessage, budget: Budget): AsyncIterableIterator<Uint8Array> {
    const idle = setTimeout(
      () => answer.destroy(unreadable('silent in the middle of an answer')),
      this.config.caps.idleMs,
    );
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        budget.chargeDownload(chunk.length);
        yield chunk;
        idle.refresh();
      }
    } catch (error) {
      throw asFailure(error);
    } finally {
      clearTimeout(idle);
      answer.destroy();
    }
  }
}

/** Guard 2 for names. Literals never get here: node:net connects to them without a lookup, and `vetUrl` has seen them. */
export function guardedLookup(config: VerifierConfig): LookupFunction {
  return (hostname, options, callback) => {
    resolveHost(hostname, config).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

function vetUrl(url: URL, config: VerifierConfig): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && config.allowHttp))
    throw refused('scheme not allowed');
  if (url.username !== '' || url.password !== '') throw refused('credentials in the address');
  // The URL parser has turned every spelling of an IPv4 address (hex, octal, one number) into four decimals.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isAddressAllowed(literal, config)) throw unreadable('address not allowed');
}

function redirectOf(request: GitHttpRequest, answer: IncomingMessage): string | undefined {
  if ((request.method ?? 'GET') !== 'GET' || !REDIRECTS.has(answer.statusCode ?? 0)) return undefined;
  return answer.headers.location;
}

function vetRedirect(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw unreadable('unusable redirect');
  const to = new URL(location, from);
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname;
  const defaultPorts = from.port === '' && to.port === '';
  if (to.origin !== from.origin && !(upgraded && defaultPorts)) throw unreadable('redirect to another host');
  return to;
}

function vetAnswer(answer: IncomingMessage): void {
  if (answer.statusCode !== 200) throw unreadable('status other than 200');
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unreadable('encoded answer');
}

function sentHeaders(request: GitHttpRequest): Record<string, string> {
  const asked = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    ...Object.fromEntries(asked.filter(([name]) => SENT_HEADERS.has(name))),
    'accept-encoding': 'identity',
    'user-agent': 'git/plat-verifier',
  };
}

/** What node:http reports names hosts, addresses and parser states: only our own phrases go on. */
function asFailure(error: unknown): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (error instanceof Error && error.name === 'AbortError') return unreadable('verification took too long');
  return unreadable('connection failed or was cut');
}
