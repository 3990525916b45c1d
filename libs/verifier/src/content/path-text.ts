/** Characters that a terminal or a log would act on, or that have no form. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/gu;

/**
 * A path as text that is safe to be shown. It comes from a repository that nobody has looked at.
 * @param path its bytes as latin1
 */
export function textOfPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8').replace(UNPRINTABLE, '?');
}
