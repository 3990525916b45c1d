import axios, { type AxiosInstance } from 'axios';
import { withTimeLimit } from '@plat/local';
import { traced, traceHeaders } from '@plat/telemetry';
import { type AnswerBody, differenceOf } from './answer-shape';
import { ApiUnreachable, faultOf, ForeignAnswer, Unchanged } from './api-fault';
import { AnswerTooLarge, callFailure, httpClient, type HttpOptions, type TextAnswer } from './http';
import { shapeFaultOf } from './json-shape';
import { sendOnce } from './send-once';
import { unlessAborted } from './unless-aborted';

/** The source of access tokens. */
export interface AccessTokens {
  current(): string | Promise<string>;
  /** A newer token than the one that was refused with 401; the call is then repeated once. */
  after?(refused: string): Promise<string>;
}

export interface ApiClientOptions {
  /** Such as `https://api.example.com`; the routes' `/v1` is added to it. */
  baseUrl: string;
  /** Absent for a caller that has not signed in, who reaches public routes only. */
  tokens?: AccessTokens;
  /** Sent with every call, such as `X-Plat-Mcp-Tool`. */
  headers?: Readonly<Record<string, string>>;
  /** Default TIMEOUT_SECONDS: a MERGED report is answered after the service has fetched the repository. */
  timeoutSeconds?: number;
  /** When it is aborted, a waiting call ends, later calls are refused, and the reason of the abort is thrown. */
  signal?: AbortSignal;
  /** Sent with each call, whose answer then replaces it. */
  held?: Held;
}

/** The state that a caller keeps of a resource that it reads again and again. */
export interface Held {
  /** The entity tag of the last answer, if it had one; the client keeps it. */
  tag?: string;
  /** How long the platform is to wait for a change, if a tag is held. */
  waitSeconds: number;
}

/** The success of a route by the contract. */
export interface ExpectedAnswer {
  /** Such as 201; creating a release has two. */
  statuses: readonly number[];
  body: AnswerBody;
  /** The route takes an Idempotency-Key: a call has one, and is sent once more if its answer is lost. */
  keyed?: true;
}

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, parameters filled in. */
  path: string;
  /** Undefined and empty values are left out. */
  query?: object;
  body?: object;
  /** Undefined if the caller does not know the route: any JSON, or no body, is then accepted. */
  expected?: ExpectedAnswer;
  /** The ids in the path, by name. If the answer has a field of that name, its value must be the same. */
  about?: Readonly<Record<string, string>>;
}

/** Seconds without an answer after which a call ends. */
const TIMEOUT_SECONDS = 120;

/** How many times as long a whole answer may take: it is large, the line is slow, and it comes all the while. */
const TIMEOUTS_OF_ANSWER = 3;

/** A page of the platform has 200 rows, of at most about 50 KiB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/** Sends the generated operations to one deployment of the API, as one caller. */
export class ApiClient {
  readonly baseUrl: string;
  private readonly http: AxiosInstance;
  private readonly httpOptions: HttpOptions;
  private readonly timeoutSeconds: number;

  constructor(protected readonly options: ApiClientOptions) {
    this.timeoutSeconds = options.timeoutSeconds ?? TIMEOUT_SECONDS;
    this.baseUrl = options.baseUrl.replace(/\/$/, '');
    this.httpOptions = {
      timeoutSeconds: this.timeoutSeconds,
      answerBytesMax: ANSWER_BYTES_MAX,
      headers: options.headers,
    };
    this.http = httpClient(this.baseUrl, this.httpOptions);
  }

  /** A client with the same options, whose calls end when the signal is aborted. */
  interruptedBy(signal: AbortSignal): ApiClient {
    const Client = this.constructor as typeof ApiClient;
    return new Client({ ...this.options, signal });
  }

  /** A client with the same options, which asks for what differs from what is held. Its calls throw Unchanged. */
  unlessHeld(held: Held): ApiClient {
    const Client = this.constructor as typeof ApiClient;
    return new Client({ ...this.options, held });
  }

  /**
   * Sends one call and returns the body of the answer; undefined if it has none. Checks that a success is the
   * platform's, because a proxy or a network's sign-in page may answer 200 as well.
   *
   * @throws ApiFault for every answer but a success
   * @throws ForeignAnswer for a success that is not in the contract's shape, and for an answer that is too large
   * @throws ApiUnreachable when no answer came
   */
  async send<Result>(call: ApiCall): Promise<Result> {
    if (!call.expected?.keyed) return this.exchange(call);
    const patience = { seconds: this.timeoutSeconds, signal: this.options.signal };
    return sendOnce((key) => this.exchange<Result>(call, { 'Idempotency-Key': key }), patience);
  }

  private async exchange<Result>(call: ApiCall, extra: Record<string, string> = {}): Promise<Result> {
    const { tokens, signal, held } = this.options;
    signal?.throwIfAborted();
    const token = tokens && (await unlessAborted(tokens.current(), signal));
    let answer = await this.attempt(call, { ...extra, ...authorization(token) });
    if (answer.status === 401 && token !== undefined && tokens?.after) {
      const newer = await unlessAborted(tokens.after(token), signal);
      answer = await this.attempt(call, { ...extra, ...authorization(newer) });
    }
    const { status, headers } = answer;
    if (status === 304 && held?.tag !== undefined) throw new Unchanged();
    const read = readBody(answer);
    if (status >= 400) throw faultOf(status, read.body, headers);
    const foreign = read.notJson ?? differenceFrom(call, status, read.body);
    if (foreign !== undefined) throw new ForeignAnswer(this.baseUrl, status, foreign);
    if (held) keepTag(held, headers.etag);
    return read.body as Result;
  }

  private async attempt(
    { method, path, query, body }: ApiCall,
    headers: Record<string, string>,
  ): Promise<TextAnswer> {
    const { signal, held } = this.options;
    signal?.throwIfAborted();
    const milliseconds = Math.ceil(this.timeoutSeconds * TIMEOUTS_OF_ANSWER * 1000);
    // The client's own timeout begins again with each byte of a body.
    const limited = signal ? withTimeLimit(signal, milliseconds) : AbortSignal.timeout(milliseconds);
    try {
      return await traced(
        { name: method, kind: 'client', attributes: { 'http.request.method': method } },
        () =>
          this.http.request<string>({
            method,
            baseURL: this.baseUrl,
            url: path,
            allowAbsoluteUrls: false,
            params: query,
            data: body,
            signal: limited,
            headers: { ...traceHeaders(), ...conditionsOf(held), ...headers },
          }),
      );
    } catch (error) {
      this.options.signal?.throwIfAborted();
      const failure = callFailure(error, this.httpOptions);
      if (failure instanceof AnswerTooLarge) {
        throw new ForeignAnswer(this.baseUrl, failure.status ?? 200, failure.message);
      }
      if (limited.aborted) throw new ApiUnreachable(this.baseUrl, 'ETIMEDOUT');
      if (axios.isAxiosError(error)) throw new ApiUnreachable(this.baseUrl, error.code ?? error.message);
      throw error;
    }
  }
}

const authorization = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

function conditionsOf(held: Held | undefined): Record<string, string> {
  if (held?.tag === undefined) return {};
  const { tag, waitSeconds } = held;
  if (waitSeconds === 0) return { 'If-None-Match': tag };
  return { 'If-None-Match': tag, Prefer: `wait=${waitSeconds}` };
}

function keepTag(held: Held, tag: unknown): void {
  if (typeof tag === 'string') held.tag = tag;
  else delete held.tag;
}

function differenceFrom(
  { expected, about = {} }: ApiCall,
  status: number,
  body: unknown,
): string | undefined {
  if (expected === undefined) return status > 299 ? 'it leads elsewhere' : undefined;
  const { statuses } = expected;
  if (!statuses.includes(status)) return `the platform answers ${statuses.join(' or ')}`;
  return differenceOf(body, expected.body) ?? differenceOfIds(body, about);
}

interface ReadBody {
  /** Undefined if there is none, or it is not JSON. */
  body?: unknown;
  /** The reason why the body cannot be the platform's. */
  notJson?: string;
}

/** Ignores the media type, because a proxy may change it. */
function readBody({ data }: TextAnswer): ReadBody {
  if (data === undefined || data === null || data === '') return {};
  const fault = shapeFaultOf(data);
  if (fault !== undefined) return { notJson: fault };
  try {
    return { body: JSON.parse(data) as unknown };
  } catch {
    return { notJson: 'it is not JSON' };
  }
}

/** Reports an id that differs from the requested one: a cache on the way may answer with another resource. */
function differenceOfIds(body: unknown, about: Readonly<Record<string, string>>): string | undefined {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const [other] = Object.entries(about).filter(([field, asked]) => {
    const found = fields[field];
    return typeof found === 'string' && found.toLowerCase() !== asked.toLowerCase();
  });
  return other && `it is about another ${other[0]}`;
}

/** A value for one segment of a path. */
export function segment(value: string): string {
  return encodeURIComponent(value);
}
