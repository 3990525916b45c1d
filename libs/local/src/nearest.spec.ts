import { nearest } from './nearest';

describe('the nearest word', () => {
  it.each([
    ['prot', ['port', 'data-dir'], 'port'],
    ['revew list', ['review list', 'review show'], 'review list'],
    ['port', ['prot', 'port'], 'port'],
    ['review wiat', ['review list', 'review wait'], 'review wait'],
    ['review', ['queue'], undefined],
    ['x', [], undefined],
  ])('of %j among %j is %j', (word, candidates, meant) => {
    expect(nearest(word, candidates)).toBe(meant);
  });

  it('has at least one letter of the typed word', () => {
    expect(nearest('up', ['ls'])).toBeUndefined();
    expect(nearest('lx', ['ls'])).toBe('ls');
  });
});
