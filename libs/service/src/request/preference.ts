import { WAIT_SECONDS_MAX } from '@plat/contracts/core';

/** `wait=10`, the value perhaps quoted; parameters after a semicolon mean nothing here. RFC 7240, 2. */
const WAIT = /^wait\s*=\s*"?(\d{1,10})"?\s*(?:;.*)?$/i;
const NAMED_WAIT = /^wait\s*(?:[=;].*)?$/i;

/**
 * The seconds that a Prefer header asks to wait, WAIT_SECONDS_MAX at most. Undefined if it asks for no wait: a preference
 * that cannot be understood is ignored, and of several with the name the first counts (RFC 7240, 2).
 */
export function preferredWait(prefer: string | undefined): number | undefined {
  const first = prefer
    ?.split(',')
    .map((each) => each.trim())
    .find((each) => NAMED_WAIT.test(each));
  const seconds = Number(WAIT.exec(first ?? '')?.[1] ?? 0);
  return seconds > 0 ? Math.min(seconds, WAIT_SECONDS_MAX) : undefined;
}
