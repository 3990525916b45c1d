import { Conversation } from './exchange';
import { type Growth, Turns } from './growth';

export interface QueuesToMove {
  url: string;
  token: string;
  queues: readonly [small: { targetBranch: string }, large: { targetBranch: string }];
  signal: AbortSignal;
}

const REPOSITORY = 'https://git.example.com/bench/app';
const TURNS = 400;
/** Turns that do not count: they warm up compilers, caches and query plans. */
const WARM_UP_TURNS = 100;

/**
 * Measures over HTTP what clients ask of a queue. Each turn promotes the head, advances again while the slot is taken
 * (which is refused), and puts the promoted review back at the tail.
 */
export async function measureQueues({ url, token, queues, signal }: QueuesToMove): Promise<Growth[]> {
  const conversation = new Conversation(url, token);
  const turns = new Turns();
  try {
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      signal.throwIfAborted();
      for (const [place, size] of [[0, 'small'] as const, [1, 'large'] as const]) {
        const taken = await moveOnce(conversation, queues[place].targetBranch);
        if (turn < 0) continue;
        for (const [name, milliseconds] of Object.entries(taken)) turns.add(name, size, milliseconds);
      }
    }
    return turns.growths();
  } finally {
    await conversation.close();
  }
}

async function moveOnce(conversation: Conversation, targetBranch: string): Promise<Record<string, number>> {
  const queue = { repository: REPOSITORY, targetBranch };
  const advance = 'POST /v1/reviews/merge-queue/advance';
  const promoted = await conversation.send<{ reviewId: string }>(advance, { expected: 200, body: queue });
  const lookup = await conversation.send(advance, { expected: 409, body: queue });
  const requeued = await conversation.send(`PATCH /v1/reviews/${promoted.body.reviewId}/status`, {
    expected: 200,
    body: { status: 'READY' },
  });
  return {
    advance: promoted.milliseconds,
    'look-up of the head': lookup.milliseconds,
    'a place at the tail': requeued.milliseconds,
  };
}
