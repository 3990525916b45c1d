/** An answer has more bytes than its limit. The rest of it is not read. */
export class TooLarge extends Error {}

/**
 * Reads the text of an answer up to a limit. Without a limit, a long list that a colleague made would use up the memory of
 * each page that shows it.
 *
 * @throws TooLarge; the error of the connection if it breaks off
 */
export async function readBoundedText(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new TooLarge();
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}
