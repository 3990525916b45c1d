/** The bounds of a JSON text whose value does not take much memory. */
export interface JsonBounds {
  /** Most lists and objects within each other. */
  depthMax: number;
  /** Most commas, that is about as many fields and items. */
  itemsMax: number;
}

export type JsonShapeFault = 'too_deep' | 'too_many';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a JSON text is deeper, or has more fields and items, than its reader expects. Read from the bytes, before work
 * whose cost follows the depth or the number: to parse `[[…]]` or `[{},{},…]` takes thirty to fifty bytes for each byte.
 */
export function findJsonShapeFault(
  bytes: Uint8Array,
  { depthMax, itemsMax }: JsonBounds,
): JsonShapeFault | undefined {
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
      if (++items > itemsMax) return 'too_many';
    } else if (byte === LIST || byte === OBJECT) {
      if (++depth > depthMax) return 'too_deep';
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth--;
    }
  }
  return undefined;
}
