/**
 * Reads standard base64 with padding (RFC 4648, section 4), in its one canonical form.
 *
 * @param length the number of bytes that the text must hold; any unless given
 * @returns undefined for any other text
 */
export function parseBase64(text: string, length?: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is no base64, so only the way back shows that nothing was skipped.
  if (bytes.toString('base64') !== text) return undefined;
  return length === undefined || bytes.length === length ? bytes : undefined;
}
