import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';
import { answerList, LIST_PAGE_ROWS } from './list-answer';

interface Row {
  n: number;
}

/** A listing of `count` rows. Its `read` has one entry for each page that was read. */
function listing(count: number, failsAfter = Infinity) {
  const read: (number | undefined)[] = [];
  return {
    read,
    page: async (after: Row | undefined): Promise<Row[]> => {
      read.push(after?.n);
      if (read.length > failsAfter) throw new Error('cut');
      const from = after === undefined ? 0 : after.n + 1;
      const rows = Math.max(0, Math.min(LIST_PAGE_ROWS, count - from));
      return Array.from({ length: rows }, (_, place) => ({ n: from + place }));
    },
    toItem: ({ n }: Row) => ({ n, text: `"${n}\n` }),
  };
}

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `"${n}\n` }));

describe('the answer of a listing', () => {
  it.each([0, 1, LIST_PAGE_ROWS - 1])('of %d items is the array itself', async (count) => {
    expect(await answerList(listing(count))).toEqual(items(count));
  });

  it.each([LIST_PAGE_ROWS, LIST_PAGE_ROWS + 1, 5 * LIST_PAGE_ROWS, 20_000])(
    'of %d items is a stream of the same JSON',
    async (count) => {
      const answer = await answerList(listing(count));
      expect(answer).toBeInstanceOf(StreamableFile);
      const stream = answer as StreamableFile;
      expect(stream.getHeaders().type).toBe('application/json; charset=utf-8');
      expect(JSON.parse(await text(stream.getStream()))).toEqual(items(count));
    },
  );

  it('fails with the error of the first page, since nothing has been sent', async () => {
    await expect(answerList(listing(500, 0))).rejects.toThrow('cut');
  });

  it('is cut if a later page fails, so that no one takes half a listing for a whole one', async () => {
    const answer = (await answerList(listing(5_000, 3))) as StreamableFile;
    await expect(text(answer.getStream())).rejects.toThrow('cut');
  });

  it('reads no page ahead of a caller who does not read', async () => {
    const long = listing(1_000_000);
    const stream = ((await answerList(long)) as StreamableFile).getStream();
    stream.read(0);
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(long.read.length).toBeLessThanOrEqual(2);
    stream.destroy();
  });

  it('reads no further for a caller who has gone away', async () => {
    const long = listing(1_000_000);
    const stream = ((await answerList(long)) as StreamableFile).getStream();
    for await (const piece of stream) {
      expect(String(piece).length).toBeGreaterThan(0);
      break;
    }
    const read = long.read.length;
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(stream.destroyed).toBe(true);
    expect(long.read.length).toBe(read);
  });
});
