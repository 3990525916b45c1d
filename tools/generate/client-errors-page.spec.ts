import { errorsIn } from './client-errors-page';

describe('docs/client-errors.md has of an error', () => {
  it.each([
    ["new Failure('A', 'It is so.')", [{ code: 'A', message: 'It is so.', next: '' }]],
    ['new Failure(`A`, `${it} is ${so}.`)', []],
    ["new Failure('A', `${it} is ${so}.`)", [{ code: 'A', message: '… is ….', next: '' }]],
    ["new Failure('A', 'It is' + ` so${x}.`)", [{ code: 'A', message: 'It is so….', next: '' }]],
    [
      "new Failure(is ? 'A' : 'B', textOf(it))",
      [
        { code: 'A', message: '…', next: '' },
        { code: 'B', message: '…', next: '' },
      ],
    ],
    [
      "new Failure('A', 'So.', { next: nextStep('plat list', [name], ', then repeat'), details })",
      [{ code: 'A', message: 'So.', next: 'plat list …, then repeat' }],
    ],
    ["new Failure(codeOf(it), 'So.')", []],
    ["new Error('A')", []],
  ])('what stands in the source: %s', (source, expected) => {
    expect(errorsIn(`throw ${source};`)).toEqual(expected);
  });
});
