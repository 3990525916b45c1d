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
});
