import { maskTokens } from './mask-tokens';
import { printableText } from './printable';

/** Told of what a program prints, in characters. */
const TAIL_LENGTH = 4000;
/** Kept of it, so that a long token at the beginning of what is told is recognised. */
const KEPT_BYTES = 32 * 1024;

/** The end of what a program prints, for those who were not there: it goes into messages and to the platform. */
export class OutputTail {
  private kept = Buffer.alloc(0);
  private isCut = false;

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.kept, chunk]);
    this.isCut ||= all.length > KEPT_BYTES;
    this.kept = all.subarray(-KEPT_BYTES);
  }

  /** Fit for a terminal, and without the tokens that are recognised. */
  text(): string {
    const kept = this.kept.toString('utf8');
    // Of a token that was cut nothing tells that it is one.
    const whole = this.isCut ? kept.replace(kept.includes('\n') ? /^.*\n/ : /^\S*/, '') : kept;
    return maskTokens(printableText(whole)).slice(-TAIL_LENGTH).trim();
  }
}
