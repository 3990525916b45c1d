import { StreamableFile } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { answerList } from './list-answer';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `"${n}\n` }));
const listing =
  (count: number, failure?: Error) =>
  (add: (item: object) => void): Promise<void> => {
    numbers(count).forEach(add);
    return failure ? Promise.reject(failure) : Promise.resolve();
  };

describe('the answer of a listing', () => {
  it.each([0, 1, 500])('of %d items is the array itself', async (count) => {
    expect(await answerList(listing(count))).toEqual(numbers(count));
  });

  it.each([501, 20_000])('of %d items is a stream of the same JSON', async (count) => {
    const answer = await answerList(listing(count));
    expect(answer).toBeInstanceOf(StreamableFile);
    const stream = answer as StreamableFile;
    expect(stream.getHeaders().type).toBe('application/json; charset=utf-8');
    expect(JSON.parse(await text(stream.getStream()))).toEqual(numbers(count));
  });

  it('is the failure itself as long as nothing has been sent', async () => {
    await expect(answerList(listing(500, new Error('no')))).rejects.toThrow('no');
  });

  it('is cut when it fails half-way: nobody takes half a listing for a whole one', async () => {
    const answer = (await answerList(listing(5_000, new Error('cut')))) as StreamableFile;
    await expect(text(answer.getStream())).rejects.toThrow('cut');
  });

  it('does not mind a caller who has gone away', async () => {
    let add!: (item: object) => void;
    let end!: () => void;
    const answered = answerList((take: (item: object) => void) => {
      add = take;
      return new Promise<void>((resolve) => (end = resolve));
    });
    numbers(501).forEach((item) => add(item));
    const stream = ((await answered) as StreamableFile).getStream();
    stream.destroy();
    numbers(5_000).forEach((item) => add(item));
    end();
    expect(stream.destroyed).toBe(true);
  });
});
