/** Characters that control a terminal or a log, or that are invisible. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/gu;

/**
 * Converts a path to text that is safe to show. It comes from an untrusted repository.
 * @param path its bytes as latin1
 */
export function textOfPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8').replace(UNPRINTABLE, '?');
}
