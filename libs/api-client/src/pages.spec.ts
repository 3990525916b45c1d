import { ForeignAnswer } from './api-fault';
import { readPages } from './pages';

describe('a listing that is read page by page', () => {
  const API = { baseUrl: 'https://api.example.com' };

  /** Reads pages that name these cursors, and returns those at which they were asked for. */
  async function readAll(named: Record<string, string>) {
    const asked: string[] = [];
    const reading = readPages(API, (cursor = 'first') => {
      asked.push(cursor);
      return Promise.resolve({ nextCursor: named[cursor] });
    });
    try {
      let pages = 0;
      for await (const page of reading) pages += Object.keys(page).length;
      return { asked, pages };
    } catch (error) {
      return { asked, error };
    }
  }

  it('has all pages up to the one without a cursor', async () => {
    expect(await readAll({ first: 'a', a: 'b' })).toEqual({ asked: ['first', 'a', 'b'], pages: 3 });
  });

  it.each([
    ['the same page', { first: 'a', a: 'a' }, ['first', 'a']],
    ['an earlier page', { first: 'a', a: 'b', b: 'a' }, ['first', 'a', 'b']],
  ])('is not the platform’s if a page leads to %s', async (_what, named, asked) => {
    const read = await readAll(named);
    expect(read.asked).toEqual(asked);
    expect(read.error).toBeInstanceOf(ForeignAnswer);
    expect(read.error).toMatchObject({ difference: 'its pages lead in a circle' });
  });

  /** Reads pages whose cursors are ever new. */
  async function readEndless(page: object, charactersMax?: number) {
    let asked = 0;
    const next = () => Promise.resolve({ ...page, nextCursor: `c${(asked += 1)}` });
    const reading = readPages(API, next, charactersMax);
    const pages: unknown[] = [];
    const read = async () => {
      for await (const one of reading) if (pages.push(one) > 20_000) return;
    };
    const error = await read().catch((reason: unknown) => reason);
    return { asked, pages: pages.length, error };
  }

  it('is not the platform’s if an empty page leads to another one', async () => {
    const read = await readEndless({ entries: [] });
    expect(read).toMatchObject({
      asked: 1,
      error: { difference: 'a page without entries leads to another one' },
    });
    expect(read.error).toBeInstanceOf(ForeignAnswer);
  });

  it('is not the platform’s if it does not end', async () => {
    const read = await readEndless({ entries: [1] });
    expect(read).toMatchObject({
      asked: 10_000,
      pages: 10_000,
      error: { difference: 'its pages have no end' },
    });
    expect(read.error).toBeInstanceOf(ForeignAnswer);
  });

  it('is not the platform’s if a page has more entries than the contract’s', async () => {
    expect(await readEndless({ entries: Array<number>(201).fill(1) })).toMatchObject({
      asked: 1,
      pages: 0,
      error: { difference: 'a page has more than 200 entries' },
    });
  });

  it('is not the platform’s if its pages have more text than memory has room for', async () => {
    const read = await readEndless({ entries: [{ name: 'x'.repeat(1000) }] }, 10_000);
    expect(read).toMatchObject({
      asked: 10,
      pages: 9,
      error: { difference: 'its pages have more text than any listing' },
    });
  });
});
