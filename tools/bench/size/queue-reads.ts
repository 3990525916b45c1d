import { Conversation } from './exchange';
import { type Growth, Turns } from './growth';
import type { QueuesToMove } from './queue-growth';

const REPOSITORY = 'https://git.example.com/bench/app';
const TURNS = 200;
/** Turns that do not count: they warm up compilers, caches and query plans. */
const WARM_UP_TURNS = 40;
/** Statistics of the longest time. */
const DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;

interface Status {
  entries: { reviewId: string }[];
  nextCursor?: string;
  pace: { basis: number; errors?: { estimates: number } };
}

interface Statistics {
  readyToMerge: { basis: number };
  flakySteps: object[];
}

/** Measures over HTTP what people ask about a queue: its status, a later page of it, its statistics, a history. */
export async function measureQueueReads({ url, token, queues, signal }: QueuesToMove): Promise<Growth[]> {
  const conversation = new Conversation(url, token);
  const turns = new Turns();
  try {
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      signal.throwIfAborted();
      for (const [place, size] of [[0, 'small'] as const, [1, 'large'] as const]) {
        const taken = await readOnce(conversation, queues[place].targetBranch);
        if (turn < 0) continue;
        for (const [name, milliseconds] of Object.entries(taken)) turns.add(name, size, milliseconds);
      }
    }
    return turns.growths();
  } finally {
    await conversation.close();
  }
}

/** @throws Error if an answer is not full, because its time would prove nothing */
async function readOnce(conversation: Conversation, targetBranch: string): Promise<Record<string, number>> {
  const query = new URLSearchParams({ repository: REPOSITORY, targetBranch }).toString();
  const at = `/v1/reviews/merge-queue/status?${query}` as const;
  const first = await conversation.send<Status>(`GET ${at}`, { expected: 200 });
  const { entries, nextCursor, pace } = first.body;
  if (entries.length !== 50 || nextCursor === undefined || pace.basis !== 30 || !pace.errors) {
    throw new Error(`the status of ${targetBranch} is not full`);
  }
  const later = await conversation.send(`GET ${at}&cursor=${nextCursor}`, { expected: 200 });
  const since = new Date(Date.now() - DAYS * DAY_MS + 60_000).toISOString();
  const statistics = await conversation.send<Statistics>(
    `GET /v1/reviews/merge-queue/statistics?${query}&since=${since}`,
    { expected: 200 },
  );
  if (statistics.body.readyToMerge.basis === 0 || statistics.body.flakySteps.length === 0) {
    throw new Error(`the statistics of ${targetBranch} are not full`);
  }
  const reviewId = entries[0]!.reviewId;
  const history = await conversation.send(`GET /v1/reviews/${reviewId}/history`, { expected: 200 });
  return {
    status: first.milliseconds,
    'a later page of it': later.milliseconds,
    [`statistics of ${DAYS} days`]: statistics.milliseconds,
    'history of the head': history.milliseconds,
  };
}
