/** The answer has more than the given number of bytes; the rest of it is not read. */
export class TooLarge extends Error {}

/**
 * The text of an answer, or of as much of it as a page can hold: without a bound, a list that a colleague made long would
 * fill the memory of whoever opens it.
 *
 * @throws TooLarge; the error of the connection if it breaks off
 */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
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
