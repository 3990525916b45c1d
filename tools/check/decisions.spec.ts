import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'docs', 'decisions');
const files = readdirSync(folder).sort();

describe('the decisions', () => {
  it('have a number each, which no other one has', () => {
    const numbers = files.map((file) => file.slice(0, 4));
    expect(numbers.every((number) => /^\d{4}$/.test(number))).toBe(true);
    expect(new Set(numbers).size).toBe(files.length);
  });

  it.each(files)('have their number in the title and their day below it: %s', (file) => {
    const [title, gap, day] = readFileSync(join(folder, file), 'utf8').split('\n');
    expect(title).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
    expect(gap).toBe('');
    expect(day).toMatch(/^Decided on 20\d{2}-[01]\d-[0-3]\d\.$/);
  });
});
