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
/** Turns before the first that counts: compilers, caches, plans. */
const WARM_UP_TURNS = 100;

/**
 * What a queue is asked for, over HTTP: the head is promoted, looked up while its slot is taken (an advance that is
 * refused), and takes a new place at the tail.
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
