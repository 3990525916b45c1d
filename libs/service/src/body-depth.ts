/** Most lists and objects of a body within each other. Those that routes read have 2. */
export const BODY_DEPTH_MAX = 32;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether lists and objects of a JSON text lie deeper than any body has to. Read from the bytes, so that no work whose
 * depth follows the text's has begun.
 */
export function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place]!;
    if (isText) {
      if (byte === BACKSLASH) place++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === LIST || byte === OBJECT) {
      depth++;
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth--;
    }
    if (depth > BODY_DEPTH_MAX) return true;
  }
  return false;
}
