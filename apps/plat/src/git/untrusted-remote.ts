import { type NextStep, nextStep } from '../terminal/next-step';

/** git's words, by the TLS library that it is built with, for a certificate whose authority it does not trust. */
const UNTRUSTED =
  /SSL certificate problem: (?:unable to get (?:local )?issuer certificate|self.signed certificate|unable to verify the first certificate)|server certificate verification failed/;

const REMEDY = nextStep(
  "git config --global http.sslCAInfo <file with your organisation's authority> (docs/private-authority.md), then repeat the command",
);

/**
 * The next step after git refused the certificate of a remote: git has a setting of its own for a private authority.
 *
 * @param said git's messages
 * @returns undefined if git failed for another reason
 */
export function nextAfterUntrustedRemote(said: string): NextStep | undefined {
  return UNTRUSTED.test(said) ? REMEDY : undefined;
}
