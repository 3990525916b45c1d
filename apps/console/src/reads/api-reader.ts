import type { Session } from '../session/session';
import { readBoundedText, TooLarge } from './bounded-text';
import { failureOf, ReadFailure } from './read-failure';

/** Seconds that the service may hold a request until something changes; below the patience of proxies. */
const WAIT_SECONDS = 25;
/** How long an answer may take beyond that. */
const PATIENCE_MILLISECONDS = 30_000;
/** Longest answer, as for the command line. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

export type Query = Readonly<Record<string, string | undefined>>;

interface Held {
  tag: string | null;
  text: string;
  body: unknown;
}

interface Sent {
  path: string;
  signal: AbortSignal;
  headers?: Record<string, string>;
}

/** Reads the API of the console's own origin, as the person who has signed in. It has no way to write. */
export class ApiReader {
  /** The last answer of each address that has an entity tag, so that an unchanged one costs no body. */
  private readonly held = new Map<string, Held>();

  constructor(private readonly session: Session) {}

  /** @throws ReadFailure; the reason of the signal if it is aborted */
  async get<Body>(path: string, signal: AbortSignal): Promise<Body> {
    const held = this.held.get(path);
    const headers = held?.tag ? { 'if-none-match': held.tag } : undefined;
    return (await this.take({ path, signal, headers }, held)).body as Body;
  }

  /**
   * Waits until the resource differs from what was last read, or half a minute has passed. A service that does not wait
   * answers at once.
   *
   * @returns whether it differs
   * @throws ReadFailure; the reason of the signal if it is aborted
   */
  async awaitChange(path: string, signal: AbortSignal): Promise<boolean> {
    const held = this.held.get(path);
    const headers = held?.tag ? { 'if-none-match': held.tag, prefer: `wait=${WAIT_SECONDS}` } : undefined;
    const { text } = await this.take({ path, signal, headers }, held);
    return text !== held?.text;
  }

  private async take(sent: Sent, held: Held | undefined): Promise<Held> {
    const response = await this.send(sent);
    if (response.status === 304 && held !== undefined) return held;
    const taken = await readBody(response, sent.path);
    const fresh = { ...taken, tag: response.headers.get('etag') };
    this.held.set(sent.path, fresh);
    return fresh;
  }

  private async send({ path, signal, headers }: Sent): Promise<Response> {
    const token = this.session.token;
    if (token === undefined) throw new ReadFailure('signed-out', 'Your sign-in has ended.');
    const patience = AbortSignal.timeout(WAIT_SECONDS * 1000 + PATIENCE_MILLISECONDS);
    try {
      const response = await fetch(path, {
        headers: { ...headers, authorization: `Bearer ${token}`, accept: 'application/json' },
        signal: AbortSignal.any([signal, patience]),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      });
      if (response.status === 401 && this.session.token === token) this.session.end();
      return response;
    } catch {
      signal.throwIfAborted();
      throw new ReadFailure('unreachable', 'The service does not answer.');
    }
  }
}

const TOO_LARGE = `The list is longer than the ${ANSWER_BYTES_MAX / 1024 / 1024} MiB that the console reads.`;

async function readBody(response: Response, path: string): Promise<{ text: string; body: unknown }> {
  const route = `GET ${templateOf(path)}`;
  const text = await readBoundedText(response, ANSWER_BYTES_MAX).catch((error: unknown) => {
    if (error instanceof TooLarge) throw new ReadFailure('too-large', TOO_LARGE, { route });
    throw new ReadFailure('unreachable', 'The answer of the service broke off.', { route });
  });
  const body = parsed(text);
  if (!response.ok) throw failureOf(response.status, body, route);
  if (typeof body !== 'object' || body === null) {
    throw new ReadFailure('foreign', 'Something answered in place of the service.', { route });
  }
  return { text, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const ID_IN_PATH = /(reviews|builds|gate-runs)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The route of an address, as roles name it. */
function templateOf(path: string): string {
  return path
    .split('?', 1)[0]!
    .replace(ID_IN_PATH, (_id, list: string) => `${list}/{${list.replace('-', '_').replace(/s$/, '')}_id}`);
}

/** An address below the API with its query; undefined values are left out. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
