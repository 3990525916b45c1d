const PATH_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a hyphenated UUID of any version and case, the nil UUID included. Decision A6. */
export function isId(text: string): boolean {
  return text.length === 36 && PATH_ID.test(text);
}

/** A new UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits. Decision A6. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const milliseconds = Date.now();
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(milliseconds / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
