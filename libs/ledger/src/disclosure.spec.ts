import { formatDisclosure, parseDisclosure } from './disclosure';
import { Malformed } from './malformed';

const salt = Buffer.alloc(16, 0xff);
const FIELDS = '{"name":"a\u2028b\u0085 \\n"}';
const line = `{"index":12,"salt":"/////////////////////w==","fields":${FIELDS}}`;

describe('the line that discloses an entry', () => {
  it('has the fields byte for byte', () => {
    expect(formatDisclosure({ index: 12, shown: { salt, fields: FIELDS } })).toBe(line);
    expect(parseDisclosure(line)).toEqual({ index: 12, shown: { salt, fields: FIELDS } });
  });

  it('has neither salt nor fields of an erased entry', () => {
    expect(formatDisclosure({ index: 0 })).toBe('{"index":0}');
    expect(parseDisclosure('{"index":0}')).toEqual({ index: 0 });
  });

  it.each([
    ['nothing', ''],
    ['no index', '{}'],
    ['an index with a zero before it', line.replace('12', '012')],
    ['a salt alone', '{"index":12,"salt":"/////////////////////w=="}'],
    ['fields alone', `{"index":12,"fields":${FIELDS}}`],
    ['a salt of 15 bytes', line.replace(/"\/.*?"/, '"////////////////////"')],
    ['fields that are no object', line.replace(FIELDS, '[]')],
    ['a newline', `${line}\n`],
    ['a space', line.replace(',', ', ')],
  ])('is refused with %s', (_what, refused) => {
    expect(() => parseDisclosure(refused)).toThrow(Malformed);
  });
});
