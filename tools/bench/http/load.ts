import { Client } from 'undici';

/** Connections that are kept open, each with one request under way at any time. */
export const CONNECTIONS = 32;

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** The status of a refusal that is expected; absent where an answer is. */
  refusedWith?: number;
}

export interface LoadOptions {
  url: string;
  token: string;
  seconds: number;
  /** The next request of a connection; undefined when what was prepared is used up. */
  next(connection: number): LoadRequest | undefined;
}

/** What one round showed. */
export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Sends requests for some seconds, each connection the next one when the last is answered. @throws Error when refused */
export async function load(options: LoadOptions): Promise<Round> {
  const startedAt = performance.now();
  const latencies = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, connection) => drive(options, connection)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(latencies.flat()).sort();
  return {
    requestsPerSecond: sorted.length / seconds,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
  };
}

/** The requests of one connection, one after the other; answers how long each took, in milliseconds. */
async function drive({ url, token, seconds, next }: LoadOptions, connection: number): Promise<number[]> {
  const client = new Client(url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  try {
    for (let now = performance.now(); now < end;) {
      const request = next(connection);
      if (!request) break;
      const { refusedWith, ...sent } = request;
      const { statusCode, body } = await client.request({ ...sent, headers });
      if (refusedWith === undefined ? statusCode >= 300 : statusCode !== refusedWith) {
        throw new Error(`${request.method} ${request.path}: ${statusCode} ${await body.text()}`);
      }
      await body.dump({ limit: Infinity });
      const answered = performance.now();
      latencies.push(answered - now);
      now = answered;
    }
    return latencies;
  } finally {
    await client.close();
  }
}
