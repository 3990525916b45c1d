/**
 * The errands of a caller to the server in the pod: the caller sends its errand's letter and a number of bytes, as a
 * big-endian 64-bit integer.
 */
export const ERRANDS = {
  /** The server sends that many bytes and ends. */
  download: 'd',
  /** The caller sends that many bytes, then the server answers one byte. */
  upload: 'u',
} as const;

export type Errand = keyof typeof ERRANDS;

/** The length of an order: the letter and the number. */
export const ORDER_LENGTH = 9;

export function orderOf(errand: Errand, bytes: number): Buffer {
  const order = Buffer.alloc(ORDER_LENGTH);
  order.write(ERRANDS[errand]);
  order.writeBigUInt64BE(BigInt(bytes), 1);
  return order;
}

export function readOrder(order: Buffer): { letter: string; bytes: number } {
  return { letter: order.toString('latin1', 0, 1), bytes: Number(order.readBigUInt64BE(1)) };
}

/** The bytes that are sent at once. */
export const CHUNK = Buffer.alloc(256 * 1024, 'plat');
