import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { successOf } from './contract-answers';

/** A request as it arrived. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  authorization?: string;
  /** Parsed JSON or form fields; undefined without a body. */
  body?: Record<string, unknown>;
}

/** An answer of the double. */
export interface Answer {
  /** Default: the status of the route's success. */
  status?: number;
  /** A success is completed to the contract's shape, so that a test names only the fields that matter to it. */
  body?: unknown;
  /** Sent as it is, instead of a body of the platform. */
  text?: string;
  /** Default: none. */
  delayMilliseconds?: number;
}

/** An answer, or a function that computes it from the request. */
export type ScriptedAnswer = Answer | ((request: SeenRequest) => Answer | Promise<Answer>);

/** The request id in every answer of the double. */
export const REQUEST_ID = 'req-0198f2a4';

/**
 * A platform for tests of the client: it describes itself, returns scripted answers, and records the requests. An
 * unknown path gets 404 in the contract's shape, as from the service.
 */
export class PlatformDouble {
  readonly requests: SeenRequest[] = [];
  /** Tokens that are accepted; any other token gets 401. */
  readonly tokens = new Set(['access-1']);
  /** Whether any token is accepted, such as one of a real identity provider. */
  acceptsEveryToken = false;
  private readonly answers = new Map<string, ScriptedAnswer>();
  private portal?: Answer;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.handle(request, response));
  }

  static async start(): Promise<PlatformDouble> {
    const server = createServer();
    const double = new PlatformDouble(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    double.answer('GET /v1/platform', {
      body: { issuer: double.url, apiUrl: double.url, cliClientId: 'plat-cli', version: '0.1.0' },
    });
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers every route with this from now on, as a sign-in page of the network would. */
  answerAll(answer: Answer): void {
    this.portal = answer;
  }

  /** @param route method and path without the query */
  answer(route: string, answer: ScriptedAnswer): void {
    this.answers.set(route, answer);
  }

  /** The requests of one route, in order. */
  to(route: string): SeenRequest[] {
    return this.requests.filter(({ method, url }) => `${method} ${url.split('?')[0]}` === route);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await read(request);
    this.requests.push(seen);
    const path = seen.url.split('?')[0] ?? '';
    const { status, body, text, delayMilliseconds } = await this.decide(seen, path);
    // Does not keep the process of a test running that ends before the delay.
    if (delayMilliseconds !== undefined) await delay(delayMilliseconds, undefined, { ref: false });
    const success = successOf(seen.method, path);
    const type = text === undefined ? 'application/json' : 'text/html';
    response.writeHead(status ?? success?.status ?? 200, {
      'content-type': type,
      'x-request-id': REQUEST_ID,
    });
    const isSuccess = status === undefined || status < 300;
    const whole = isSuccess && success ? success.complete(body, seen.body) : body;
    response.end(text ?? (whole === undefined ? '' : JSON.stringify(whole)));
  }

  private async decide(seen: SeenRequest, path: string): Promise<Answer> {
    if (this.portal) return this.portal;
    const isOpen = path === '/v1/platform' || !path.startsWith('/v1/');
    if (
      !isOpen &&
      !this.acceptsEveryToken &&
      !this.tokens.has(seen.authorization?.replace('Bearer ', '') ?? '')
    ) {
      return { status: 401, body: { code: 'UNAUTHENTICATED', message: 'A valid bearer token is required.' } };
    }
    const answer = this.answers.get(`${seen.method} ${path}`);
    if (answer === undefined) {
      return { status: 404, body: { code: 'NOT_FOUND', message: 'There is no such thing.' } };
    }
    return typeof answer === 'function' ? answer(seen) : answer;
  }
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text && JSON.parse(text);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    authorization: request.headers.authorization,
    body: body || undefined,
  };
}
