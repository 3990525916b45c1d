/** Most lists and objects of a body within each other. Those that routes read have 2. */
export const BODY_DEPTH_MAX = 32;
/** Most commas of a body, that is about as many fields and items. Those that routes read have some hundreds. */
export const BODY_ITEMS_MAX = 10_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a JSON text is deeper, or has more fields and items, than any body has to. Read from the bytes, before work whose
 * cost follows the depth or the number: parsing, sorting, hashing.
 */
export function findShapeFault(bytes: Buffer): 'too_deep' | 'too_many' | undefined {
  let [depth, items] = [0, 0];
  let isText = false;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place]!;
    if (isText) {
      if (byte === BACKSLASH) place++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA) {
      if (++items > BODY_ITEMS_MAX) return 'too_many';
    } else if (byte === LIST || byte === OBJECT) {
      if (++depth > BODY_DEPTH_MAX) return 'too_deep';
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth--;
    }
  }
  return undefined;
}
