const PATH_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a hyphenated UUID of any version and case, the nil UUID included. Rule A6. */
export function isId(text: string): boolean {
  return text.length === 36 && PATH_ID.test(text);
}

/** A new UUIDv7 (RFC 9562): 48 bits of milliseconds, then the random bits of a UUIDv4. Rule A6. */
export function newId(): string {
  const milliseconds = Date.now().toString(16).padStart(12, '0');
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
