import { addressOf, type Place, placeAt } from './place';

const reviewId = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

const PLACES: [string, Place][] = [
  ['/console/', { name: 'yours', query: {} }],
  ['/console/queues', { name: 'queues', query: {} }],
  [
    '/console/queue?targetBranch=release%2F1+%26+2&repository=https%3A%2F%2Fgit.example.com%2Facme%2Fapp',
    {
      name: 'queue',
      query: { targetBranch: 'release/1 & 2', repository: 'https://git.example.com/acme/app' },
    },
  ],
  [`/console/reviews/${reviewId}`, { name: 'review', reviewId, query: {} }],
  ['/console/releases?status=failed', { name: 'releases', query: { status: 'failed' } }],
  ['/console/audit?apiMethod=POST', { name: 'audit', query: { apiMethod: 'POST' } }],
];

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'https://plat.example.com');
  return placeAt(pathname, search);
};

describe('the places of the console', () => {
  it.each(PLACES)('%s is an address both ways', (address, place) => {
    expect(at(address)).toEqual(place);
    expect(addressOf(place)).toBe(address);
  });

  it('/console without a slash is the first page too', () => {
    expect(at('/console')).toEqual({ name: 'yours', query: {} });
  });

  it('what is no part of a place is dropped from its query, as an empty value is', () => {
    expect(at('/console/queue?targetBranch=main&token=secret&repository=')).toEqual({
      name: 'queue',
      query: { targetBranch: 'main' },
    });
  });

  it.each([
    '/',
    '/consoles',
    '/console/nothing',
    '/console/review',
    '/console/reviews/1',
    '/console/__proto__',
  ])('%s is no place', (address) => expect(at(address)).toBeUndefined());
});
