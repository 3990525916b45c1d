import { audiencesOf, mayBeFor } from '@plat/contracts/core/token';
import type { PlatformAlias } from '../config/cloud-alias';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/**
 * Refuses a token that the provider has issued for another API, as one does that ignores `resource` (RFC 8707): the
 * platform could act there with it. An opaque token does not say what it is for, so it passes.
 *
 * @throws Failure FOREIGN_TOKEN
 */
export function requireAudience(accessToken: string, { audience, issuer, apiUrl }: PlatformAlias): void {
  if (mayBeFor(accessToken, audience)) return;
  const named = audiencesOf(accessToken) ?? [];
  const other = named.length === 0 ? 'for no API by name' : `for ${named.join(', ')}`;
  throw new Failure(
    'FOREIGN_TOKEN',
    `${issuer} has issued a token ${other}, and not for ${audience}. It was neither kept nor sent.`,
    {
      details: { issuer, audience, issuedFor: named },
      next: nextStep(
        'if you trust',
        [apiUrl],
        ', ask the administrator of the identity provider to issue tokens for',
        [audience],
      ),
    },
  );
}
