import { BODY_DEPTH_MAX, BODY_ITEMS_MAX, findShapeFault } from './body-shape';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const judge = (text: string) => findShapeFault(Buffer.from(text));

describe('findShapeFault', () => {
  it.each([
    ['lists', nested(BODY_DEPTH_MAX)],
    ['objects', nested(BODY_DEPTH_MAX, '{"a":', '}').replace('{"a":}', '{}')],
    ['many in a row', `[${'[],{},'.repeat(1000)}[]]`],
    ['brackets in a text', `{"a":"${nested(100)}"}`],
    ['brackets behind an escaped quote', `{"a":"\\"${nested(100)}"}`],
    ['brackets behind an escaped backslash and a quote', `{"a":"\\\\","b":"${nested(100)}"}`],
    ['nothing', ''],
    ['as many items as there may be', `[${'0,'.repeat(BODY_ITEMS_MAX)}0]`],
    ['commas in a text', `{"a":"${','.repeat(BODY_ITEMS_MAX + 1)}"}`],
  ])('takes %s', (_, text) => {
    expect(judge(text)).toBeUndefined();
  });

  it.each([
    ['lists', nested(BODY_DEPTH_MAX + 1)],
    ['objects', nested(BODY_DEPTH_MAX + 1, '{"a":', '}')],
    ['both in turn', nested(BODY_DEPTH_MAX, '[{"a":', '}]')],
    ['lists that never end', '['.repeat(BODY_DEPTH_MAX + 1)],
    ['lists behind a text that ends in a backslash', `{"a":"\\\\","b":${nested(BODY_DEPTH_MAX)}}`],
  ])('refuses one level more of %s', (_, text) => {
    expect(judge(text)).toBe('too_deep');
  });

  it.each([
    ['a list', `[${'0,'.repeat(BODY_ITEMS_MAX + 1)}0]`],
    ['an object', `{${'"a":0,'.repeat(BODY_ITEMS_MAX + 1)}"a":0}`],
    ['several lists', `[${`[${'0,'.repeat(100)}0],`.repeat(100)}0]`],
  ])('refuses one item more in %s', (_, text) => {
    expect(judge(text)).toBe('too_many');
  });
});
