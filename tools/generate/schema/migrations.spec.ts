import { join } from 'node:path';
import { expectKept, renderMigrations } from './migrations';

const files = [
  { name: '0001_one', sha256: 'a' },
  { name: '0002_two', sha256: 'b' },
];

describe('the migration files', () => {
  it('are kept as they are noted, and new ones are noted', () => {
    expect(() => expectKept(files, { '0001_one': 'a' })).not.toThrow();
  });

  it.each([
    ['edited', { '0001_one': 'x', '0002_two': 'b' }, '0001_one'],
    ['removed', { '0000_zero': 'a' }, '0000_zero'],
  ])('fail the generation when one is %s after it landed', (_, noted, name) => {
    expect(() => expectKept(files, noted)).toThrow(`never edited once landed: ${name}.`);
  });

  it('are all noted', async () => {
    const root = join(__dirname, '..', '..', '..');
    const rendered = await renderMigrations(root);
    expect(JSON.parse(rendered['libs/database/migrations.json']!)).toEqual(
      jest.requireActual(join(root, 'libs', 'database', 'migrations.json')),
    );
  });
});
