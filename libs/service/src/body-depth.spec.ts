import { BODY_DEPTH_MAX, isTooDeep } from './body-depth';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const judge = (text: string) => isTooDeep(Buffer.from(text));

describe('isTooDeep', () => {
  it.each([
    ['lists', nested(BODY_DEPTH_MAX)],
    ['objects', nested(BODY_DEPTH_MAX, '{"a":', '}').replace('{"a":}', '{}')],
    ['many in a row', `[${'[],{},'.repeat(1000)}[]]`],
    ['brackets in a text', `{"a":"${nested(100)}"}`],
    ['brackets behind an escaped quote', `{"a":"\\"${nested(100)}"}`],
    ['brackets behind an escaped backslash and a quote', `{"a":"\\\\","b":"${nested(100)}"}`],
    ['nothing', ''],
  ])('takes %s', (_, text) => {
    expect(judge(text)).toBe(false);
  });

  it.each([
    ['lists', nested(BODY_DEPTH_MAX + 1)],
    ['objects', nested(BODY_DEPTH_MAX + 1, '{"a":', '}')],
    ['both in turn', nested(BODY_DEPTH_MAX, '[{"a":', '}]')],
    ['lists that never end', '['.repeat(BODY_DEPTH_MAX + 1)],
    ['lists behind a text that ends in a backslash', `{"a":"\\\\","b":${nested(BODY_DEPTH_MAX)}}`],
  ])('refuses one level more of %s', (_, text) => {
    expect(judge(text)).toBe(true);
  });
});
