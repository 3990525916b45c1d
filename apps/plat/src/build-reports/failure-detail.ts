import { REASON_BYTES_MAX } from '@plat/contracts/core';

/**
 * A failure's detail as the contract takes it: well-formed, without NUL, and within its limit. The middle of a longer one is
 * left out and counted, because the failure is at the beginning or at the end. A branch decides on much of the text, and a
 * report that the platform refused would keep its review in the slot.
 */
export function cutDetail(text: string, bytesMax: number = REASON_BYTES_MAX): string {
  const detail = text.replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(detail, 'utf8');
  if (bytes.length <= bytesMax) return detail;
  const mark = (left: number) => `\n[… ${left} bytes are left out …]\n`;
  const kept = bytesMax - Buffer.byteLength(mark(bytes.length));
  const [head, tail] = [Math.ceil(kept / 2), Math.floor(kept / 2)];
  const first = wholeCharacters(bytes.subarray(0, head), 'end');
  const last = wholeCharacters(bytes.subarray(bytes.length - tail), 'start');
  const left = bytes.length - Buffer.byteLength(first) - Buffer.byteLength(last);
  return `${first}${mark(left)}${last}`;
}

/** Without the partial character at the cut. */
function wholeCharacters(bytes: Buffer, cutAt: 'start' | 'end'): string {
  const isContinuation = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  if (cutAt === 'start') {
    let start = 0;
    while (start < bytes.length && isContinuation(start)) start += 1;
    return bytes.subarray(start).toString('utf8');
  }
  // The last character counts if its first byte is followed by as many bytes as it announces.
  let first = bytes.length - 1;
  while (first > 0 && isContinuation(first)) first -= 1;
  const lead = bytes[first] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return bytes.subarray(0, bytes.length - first >= length ? first + length : first).toString('utf8');
}
