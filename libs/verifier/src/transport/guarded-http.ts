import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { defined } from '@plat/contracts/core';
import type { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { unreadable } from '../remote-failure';
import { type GitHttp, type GitHttpRequest, type GitHttpResponse, joinBody } from './git-http';
import { asFailure, guardedLookup, redirectOf, sentHeaders, vetAnswer, vetRedirect, vetUrl } from './guards';
import { RemoteWaits } from './remote-waits';

/** Milliseconds within which an answer has to end once its reader stops. */
const ENDING_MS = 1_000;

/** Limits of one verification: its requests share the budget and end with the signal. */
interface Limits {
  budget: Budget;
  signal: AbortSignal;
  waits?: RemoteWaits;
}

/**
 * The only access of the verifier to the network. guards.ts decides what is allowed; this class sends a request and
 * reads its answer, under the caps. Its agents keep connections open between verifications.
 */
export class GuardedHttp {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  constructor(private readonly config: VerifierConfig) {
    const options = {
      keepAlive: true,
      maxSockets: 2,
      timeout: config.caps.idleMs,
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

  private async request(request: GitHttpRequest, limits: Limits): Promise<GitHttpResponse> {
    const first = new URL(request.url);
    let url = first;
    let answer = await this.exchange(url, request, limits);
    const location = redirectOf(request, answer);
    if (location !== undefined) {
      answer.destroy();
      url = vetRedirect(first, location);
      answer = await this.exchange(url, request, limits);
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
      body: this.read(answer, limits),
    };
  }

  private async exchange(
    url: URL,
    request: GitHttpRequest,
    { budget, signal, waits = new RemoteWaits() }: Limits,
  ): Promise<IncomingMessage> {
    vetUrl(url, this.config);
    budget.chargeRequest();
    const body = await joinBody(request.body);
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      agent: url.protocol === 'https:' ? this.https : this.http,
      // Kept connections are of one host and port, for which the lookup was made.
      lookup: guardedLookup(url, this.config),
      headers: defined({ ...sentHeaders(request), 'content-length': body.length || undefined }),
    };
    return waits.awaitRemote(this.send(url, options, { body, signal }));
  }

  private send(
    url: URL,
    options: RequestOptions,
    { body, signal }: { body: Buffer; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(asFailure(undefined, signal));
      const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
        settle();
        resolve(answer);
      });
      const idle = setTimeout(() => sent.destroy(unreadable('no answer in time')), this.config.caps.idleMs);
      // The signal is not passed as the request's `signal`, because node:net would tie the connection to it, and the
      // connection outlives the verification.
      const abort = () => sent.destroy(unreadable('verification took too long'));
      signal.addEventListener('abort', abort);
      const settle = () => {
        clearTimeout(idle);
        signal.removeEventListener('abort', abort);
      };
      sent.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        // The server closed a kept connection just as it was reused, which says nothing about the request.
        if (sent.reusedSocket && error.code === 'ECONNRESET') {
          resolve(this.send(url, options, { body, signal }));
        } else {
          reject(asFailure(error, signal));
        }
      });
      // An answer that changes the protocol ends the connection without an error.
      sent.on('close', () => {
        settle();
        reject(unreadable('connection failed or was cut'));
      });
      sent.end(body);
    });
  }

  private async *read(
    answer: IncomingMessage,
    { budget, signal, waits = new RemoteWaits() }: Limits,
  ): AsyncIterableIterator<Uint8Array> {
    const idle = setTimeout(
      () => answer.destroy(unreadable('silent in the middle of an answer')),
      this.config.caps.idleMs,
    );
    const abort = () => answer.destroy(unreadable('verification took too long'));
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      const chunks = answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      for await (const chunk of waits.each(chunks)) {
        budget.chargeDownload(chunk.length);
        yield chunk;
        idle.refresh();
      }
    } catch (error) {
      answer.destroy();
      throw asFailure(error, signal);
    } finally {
      clearTimeout(idle);
      signal.removeEventListener('abort', abort);
      leave(answer);
    }
  }
}

/**
 * Is called when the reader stops. It keeps the connection if the answer ends in time without more data, and cuts it
 * otherwise.
 */
function leave(answer: IncomingMessage): void {
  if (answer.destroyed || answer.readableEnded) return;
  const cut = () => answer.destroy();
  const late = setTimeout(cut, ENDING_MS).unref();
  answer.on('error', () => undefined);
  answer.once('close', () => clearTimeout(late));
  answer.once('data', cut);
}
