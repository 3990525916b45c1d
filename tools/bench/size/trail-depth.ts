import { TEST_USERS } from '@plat/testing';
import { Conversation } from './exchange';
import { type Growth, Turns } from './growth';

export interface TrailToRead {
  url: string;
  token: string;
  rows: number;
  signal: AbortSignal;
}

interface Page {
  events: { createdAt: string; auditEventId: string }[];
  nextCursor?: string;
}

const TURNS = 150;
const WARM_UP_TURNS = 30;
/** The deep page begins this many days ago: the trail lists the newest rows first, so nearly all precede it. */
const DEEP_DAYS = 85;
const DAY_MS = 24 * 3600 * 1000;

const FILTERS: Readonly<Record<string, Record<string, string>>> = {
  'no filter': {},
  'since and until': { since: daysAgo(89), until: daysAgo(0) },
  erunUserId: { erunUserId: TEST_USERS.bob.userId },
  'apiMethod with apiPath': { apiMethod: 'GET', apiPath: '/v1/reviews/{review_id}' },
  'type MCP': { type: 'MCP' },
};

/** Measures the first page of each filter, and one that lies deep in the trail. */
export async function measureTrail({ url, token, signal }: TrailToRead): Promise<Growth[]> {
  const conversation = new Conversation(url, token);
  const turns = new Turns();
  // A cursor is a place in the order. No row has to be there.
  const cursor = `${daysAgo(DEEP_DAYS)},ffffffff-ffff-7fff-bfff-ffffffffffff`;
  try {
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      signal.throwIfAborted();
      for (const [name, filter] of Object.entries(FILTERS)) {
        const first = await read(conversation, filter);
        const deep = await read(conversation, { ...filter, cursor });
        if (turn < 0) continue;
        turns.add(name, 'small', first);
        turns.add(name, 'large', deep);
      }
    }
    return turns.growths();
  } finally {
    await conversation.close();
  }
}

/** @returns milliseconds for a page. @throws Error if the page is not full, because its time would prove nothing */
async function read(conversation: Conversation, query: Record<string, string>): Promise<number> {
  const search = new URLSearchParams(query).toString();
  const { body, milliseconds } = await conversation.send<Page>(`GET /v1/audit-events?${search}`, {
    expected: 200,
  });
  if (body.events.length !== 50) throw new Error(`a page of ${body.events.length} rows for ${search}`);
  return milliseconds;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}
