import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { unreadable } from '../remote-failure';
import { joinBody, type GitHttp, type GitHttpRequest, type GitHttpResponse } from './git-http';
import { asFailure, guardedLookup, redirectOf, sentHeaders, vetAnswer, vetRedirect, vetUrl } from './guards';

/** Of one verification: its requests share the budget and end with the signal. */
interface Limits {
  budget: Budget;
  signal: AbortSignal;
}

/**
 * The only way from the verifier to the network: what may pass is decided in guards.ts; this is how a request is sent
 * and its answer read, under the caps. Its agents are its own and keep connections between verifications.
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

  open(limits: Limits): GitHttp {
    return { request: (request) => this.request(request, limits) };
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private async request(request: GitHttpRequest, { budget, signal }: Limits): Promise<GitHttpResponse> {
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
      body: this.read(answer, { budget, signal }),
    };
  }

  private async exchange(
    url: URL,
    request: GitHttpRequest,
    { budget, signal }: Limits,
  ): Promise<IncomingMessage> {
    vetUrl(url, this.config);
    budget.chargeRequest();
    const body = await joinBody(request.body);
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      agent: url.protocol === 'https:' ? this.https : this.http,
      headers: { ...sentHeaders(request), ...(body.length > 0 ? { 'content-length': body.length } : {}) },
    };
    return this.send(url, { ...options, signal }, body);
  }

  private send(
    url: URL,
    options: RequestOptions & { signal: AbortSignal },
    body: Buffer,
  ): Promise<IncomingMessage> {
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
        else reject(asFailure(error, options.signal));
      });
      // An answer that changes the protocol ends the connection without an error.
      sent.on('close', () => {
        clearTimeout(idle);
        reject(unreadable('connection failed or was cut'));
      });
      sent.end(body);
    });
  }

  private async *read(
    answer: IncomingMessage,
    { budget, signal }: Limits,
  ): AsyncIterableIterator<Uint8Array> {
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
      throw asFailure(error, signal);
    } finally {
      clearTimeout(idle);
      answer.destroy();
    }
  }
}
