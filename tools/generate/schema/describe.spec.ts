import { describe as printed } from './describe';

describe('a statement of the schema', () => {
  it('stands alone if there is no comment on what it makes', () => {
    expect(printed({ statement: '\nCREATE TABLE a.b ();', comment: null })).toBe('\nCREATE TABLE a.b ();');
  });

  it('has its comment right above it, after the gap', () => {
    expect(printed({ statement: '\nCREATE TABLE a.b ();', comment: 'One row\na thing.' })).toBe(
      '\n-- One row a thing.\nCREATE TABLE a.b ();',
    );
  });

  it('has a long comment in lines of at most 118 characters, without losing a word', () => {
    const comment = Array.from({ length: 60 }, (_, place) => `word${place}`).join(' ');
    const lines = printed({ statement: 'CREATE', comment }).split('\n').slice(0, -1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(118);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.map((line) => line.replace(/^-- /, '')).join(' ')).toBe(comment);
  });
});
