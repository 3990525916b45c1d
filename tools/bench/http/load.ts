import { Client } from 'undici';

/** Connections that are kept open, each with one request under way at any time. */
export const CONNECTIONS = 32;

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** The status of the refusal that is expected. Absent if an answer below 300 is expected. */
  refusedWith?: number;
}

export interface LoadOptions {
  url: string;
  token: string;
  seconds: number;
  /** The next request of a connection; undefined if the prepared requests are used up. */
  next(connection: number): LoadRequest | undefined;
}

/** The figures of one round. */
export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Sends requests for some seconds. Each connection sends the next request once the one before is answered.
 * @throws Error if an answer has a status that is not expected
 */
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

/** Sends the requests of one connection. @returns how many milliseconds each took */
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
