import { canonicalJson } from './canonical-json';
import { commitment, isCommitted } from './commitment';
import { sha256 } from './hashes';
import { formatLeaf, type Leaf, LEAF_KINDS, parseLeaf } from './leaf';
import { Malformed } from './malformed';

const leaf: Leaf = {
  kind: 'audit',
  id: '0190aaaa-0000-7000-8000-000000000001',
  at: '2026-11-25T11:00:00.000001Z',
  open: sha256('open'),
  closed: sha256('closed'),
};
const text = formatLeaf(leaf).toString();
const OPEN = leaf.open.toString('base64');

describe('a leaf', () => {
  it.each(LEAF_KINDS)('of kind %s is read back', (kind) => {
    expect(parseLeaf(formatLeaf({ ...leaf, kind }))).toEqual({ ...leaf, kind });
  });

  it('is canonical JSON', () => {
    expect(JSON.parse(text)).toEqual({
      v: 1,
      kind: 'audit',
      id: leaf.id,
      at: leaf.at,
      open: OPEN,
      closed: leaf.closed.toString('base64'),
    });
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it.each([
    ['nothing', ''],
    ['another version', text.replace('"v":1', '"v":2')],
    ['another kind', text.replace('audit', 'note')],
    ['members in another order', text.replace(/^(\{)(.*),("v":1)/, '$1$3,$2')],
    ['a further member', text.replace('"v":1', '"v":1,"w":1')],
    ['no version', text.replace(',"v":1', '')],
    ['a space', text.replace('{', '{ ')],
    ['a newline after it', `${text}\n`],
    ['a second leaf after it', text + text],
    ['an id in upper case', text.replace('0190aaaa', '0190AAAA')],
    ['an id that is no UUID', text.replace('0190aaaa-', '0190aaaa0')],
    ['milliseconds', text.replace('.000001Z', '.000Z')],
    ['nanoseconds', text.replace('.000001Z', '.000001000Z')],
    ['another zone', text.replace('.000001Z', '.000001+00:00')],
    ['a day that does not exist', text.replace('11-25', '02-30')],
    ['a commitment of 31 bytes', text.replace(OPEN, leaf.open.subarray(1).toString('base64'))],
    ['bits after the end of a commitment', text.replace(OPEN, `${'A'.repeat(42)}B=`)],
    ['an escape that JSON reads alike', text.replace('audit', '\\u0061udit')],
    ['a letter that looks alike', text.replace('audit', '\u0430udit')],
  ])('is refused with %s', (_what, refused) => {
    expect(() => parseLeaf(Buffer.from(refused))).toThrow(Malformed);
  });

  it('is refused with a byte that is not ASCII', () => {
    const bytes = Buffer.from(text);
    bytes[10]! |= 0x80;
    expect(() => parseLeaf(bytes)).toThrow(Malformed);
  });

  it.each([
    { at: '2026-11-25T11:00:00Z' },
    { id: 'A' },
    { open: Buffer.alloc(31) },
    { kind: 'other' as 'audit' },
  ])('is not made with %j', (wrong) => {
    expect(() => formatLeaf({ ...leaf, ...wrong })).toThrow(RangeError);
  });
});

describe('a commitment', () => {
  const salt = Buffer.alloc(16, 1);

  it('is SHA-256 of the salt and the fields', () => {
    const committed = commitment(salt, '{"a":"ö"}');
    expect(committed).toEqual(sha256(Buffer.concat([salt, Buffer.from('{"a":"ö"}')])));
    expect(isCommitted(committed, { salt, fields: '{"a":"ö"}' })).toBe(true);
  });

  it('holds neither for other fields nor for another salt', () => {
    const committed = commitment(salt, '{"a":1}');
    expect(isCommitted(committed, { salt, fields: '{"a":2}' })).toBe(false);
    expect(isCommitted(committed, { salt: Buffer.alloc(16, 2), fields: '{"a":1}' })).toBe(false);
  });

  it('has a salt of 16 bytes, so that no byte moves from the salt to the fields', () => {
    const moved = { salt: salt.subarray(1), fields: '\u0001{"a":1}' };
    expect(isCommitted(commitment(salt, '{"a":1}'), moved)).toBe(false);
    expect(() => commitment(salt.subarray(1), '{}')).toThrow(RangeError);
  });
});
