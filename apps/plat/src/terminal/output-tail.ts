import { maskTokens } from './mask-tokens';
import { printableText } from './printable';

/** Longest reported end of a program's output, in characters, unless the caller says another. */
const TAIL_LENGTH = 4000;
/** Bytes that are kept, so that a long token at the beginning of the reported end is recognised. */
const KEPT_BYTES = 32 * 1024;
/** The second half of a character of two UTF-16 units, at the beginning. */
const LOW_HALF = /^[\udc00-\udfff]/;

/** The end of a program's output, for messages and for the platform. */
export class OutputTail {
  private kept = Buffer.alloc(0);
  private isCut = false;

  /** @param length at most 16,384 characters, so that a long token before them is recognised */
  constructor(private readonly length = TAIL_LENGTH) {}

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.kept, chunk]);
    this.isCut ||= all.length > KEPT_BYTES;
    this.kept = all.subarray(-KEPT_BYTES);
  }

  /** The text for a terminal, without the recognised tokens. */
  text(): string {
    const kept = this.kept.toString('utf8');
    // A cut token cannot be recognised, so the first partial line or word is dropped.
    const whole = this.isCut ? kept.replace(kept.includes('\n') ? /^.*\n/ : /^\S*/, '') : kept;
    const end = maskTokens(printableText(whole)).slice(-this.length);
    // Half of a character would make the text one that the platform refuses.
    return end.replace(LOW_HALF, '').trim();
  }
}
