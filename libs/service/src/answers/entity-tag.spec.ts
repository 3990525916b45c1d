import { entityTag, namesTag } from './entity-tag';

const TAG = entityTag('{"status":"READY"}');

describe('an entity tag', () => {
  it('is weak, the same for the same body and another for another', () => {
    expect(TAG).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
    expect(entityTag('{"status":"READY"}')).toBe(TAG);
    expect(entityTag('{"status":"MERGE"}')).not.toBe(TAG);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['the tag itself', TAG],
    ['the tag as a strong one, since the comparison is weak', TAG.slice(2)],
    ['a list with the tag', `"a", ${TAG} ,W/"b"`],
    ['any', ' * '],
  ])('%s names it', (_, header) => {
    expect(namesTag(header, TAG)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['an empty value', ''],
    ['another tag', 'W/"a"'],
    ['the tag without its quotes', TAG.slice(3, -1)],
    ['an asterisk in a list', '*, "a"'],
    ['separators alone', ', ,'],
  ])('%s does not', (_, header) => {
    expect(namesTag(header, TAG)).toBe(false);
  });
});
