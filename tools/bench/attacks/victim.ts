import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import type { LoadRequest } from '../http/load';

/** One kind of request that the attacked tenant sends, at the pace of people and their tools. */
export interface Errand {
  name: string;
  url: string;
  token: string;
  next(): LoadRequest | undefined;
  /** Restores what the requests have used up. */
  restore?(): Promise<void>;
}

/** The latencies of one errand, and the number of its errors by status. */
export interface Watched {
  latenciesMs: number[];
  errors: Record<string, number>;
}

/** The pause between an answer and the next request, so that the errands are no second flood. */
const PAUSE_MS = 10;

/** Runs the errands at the same time for some seconds. */
export async function runErrands(errands: Errand[], seconds: number): Promise<Watched[]> {
  const watched = await Promise.all(errands.map((errand) => run(errand, seconds)));
  for (const { restore } of errands) await restore?.();
  return watched;
}

async function run({ url, token, next }: Errand, seconds: number): Promise<Watched> {
  const client = new Client(url, { headersTimeout: 60_000 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const watched: Watched = { latenciesMs: [], errors: {} };
  const end = performance.now() + seconds * 1000;
  try {
    while (performance.now() < end) {
      const request = next();
      if (!request) break;
      const startedAt = performance.now();
      const status = await client.request({ ...request, headers }).then(
        async ({ statusCode, body }) => {
          await body.dump({ limit: Infinity });
          return statusCode < 300 ? undefined : String(statusCode);
        },
        () => 'cut',
      );
      watched.latenciesMs.push(performance.now() - startedAt);
      if (status !== undefined) watched.errors[status] = (watched.errors[status] ?? 0) + 1;
      await delay(PAUSE_MS);
    }
    return watched;
  } finally {
    await client.destroy();
  }
}
