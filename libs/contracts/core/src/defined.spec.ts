import { defined } from './defined';

it('keeps the fields that have a value, also an empty one, in their order', () => {
  const fields = { b: 0, gone: undefined, a: '', c: null, d: false };
  expect(Object.entries(defined(fields))).toEqual([
    ['b', 0],
    ['a', ''],
    ['c', null],
    ['d', false],
  ]);
  expect(fields).toHaveProperty('gone');
});
