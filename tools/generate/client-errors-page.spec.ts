import { join } from 'node:path';
import { readClientErrors } from './client-error-registry';
import { errorsIn, readClientSources, valuesIn } from './client-errors-page';

describe('docs/errors.md has of an error of the client', () => {
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
    ["{ code: 'A', reason: 'So.', next: 'plat list' }", [{ code: 'A', message: 'So.', next: 'plat list' }]],
    ["{ code: 'A', message: 'So.' }", []],
    ["new Failure(codeOf(it), 'So.')", []],
    ["new Error('A')", []],
  ])('what stands in the source: %s', (source, expected) => {
    expect(errorsIn(`throw (${source});`)).toEqual(expected);
  });
});

describe('the registry of the errors of the client', () => {
  let registered: string[];
  let sources: string[];
  beforeAll(async () => {
    const root = join(__dirname, '../..');
    registered = (await readClientErrors(root)).flatMap(({ meanings }) => [...meanings.keys()]);
    sources = await readClientSources(root);
  });

  it('has each code once', () => {
    expect(registered.length).toBeGreaterThan(200);
    expect(registered.filter((code, at) => registered.indexOf(code) !== at)).toEqual([]);
  });

  it('has every code with which the client makes an error, also if the service has the same', () => {
    const made = new Set(sources.flatMap(errorsIn).map(({ code }) => code));
    expect([...made].filter((code) => !registered.includes(code))).toEqual([]);
  });

  it('has no code that nothing makes', () => {
    const values = new Set(sources.flatMap(valuesIn));
    expect(registered.filter((code) => !values.has(code))).toEqual([]);
  });

  it.each([
    ["code === 'A'", []],
    ["['A'].includes(code)", []],
    ["const kind = { code: 'A' }", ['A']],
    ["fail(isOpen ? 'A' : 'B')", ['A', 'B']],
    ["let code: 'A'", []],
  ])('does not count a code that is only compared: %s', (source, expected) => {
    expect(valuesIn(source)).toEqual(expected);
  });
});
