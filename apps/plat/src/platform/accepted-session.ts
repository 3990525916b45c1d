import { type Whoami, whoami } from '@plat/api-client';
import type { FailureCode } from '../error-codes/failure-code';
import { apiFailure } from '../failures/api-failure';
import type { StoredSession } from '../session/stored-session';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Platform } from './platform';

/** Refusals of the person or of the token, and not of the one call. */
const REFUSALS: readonly FailureCode[] = [
  'UNAUTHENTICATED',
  'TENANT_UNRESOLVED',
  'NOT_ENROLLED',
  'USER_DISABLED',
  'TENANT_DISABLED',
  'TENANT_MOVED',
];

/** Who the person is at the platform, or why that could not be read although the person may be signed in. */
export type Acceptance = { caller: Whoami } | { unread: string };

/**
 * Asks the platform who has signed in: the identity provider knows people whom the platform does not.
 *
 * @throws Failure with the platform's code if it refuses the person or the token; the session is kept, since it counts
 *   once an administrator has acted
 */
export async function requireAcceptedSession(
  { alias, api }: Pick<Platform, 'alias' | 'api'>,
  session: Pick<StoredSession, 'subject'>,
): Promise<Acceptance> {
  try {
    return { caller: await whoami(api) };
  } catch (error) {
    const refusal = apiFailure(error);
    if (!refusal) throw error;
    if (!REFUSALS.includes(refusal.code)) return { unread: refusal.message };
    const { subject } = session;
    const { code, message, details, requestId } = refusal;
    const who = subject === undefined ? 'You have' : `${subject} has`;
    throw new Failure(code, `${who} signed in at ${alias.issuer}, and ${alias.name} refuses it: ${message}`, {
      details: { ...details, subject, issuer: alias.issuer },
      requestId,
      next: nextAfter(refusal, subject, alias),
    });
  }
}

function nextAfter(
  { code, next }: Failure,
  subject: string | undefined,
  alias: Platform['alias'],
): NextStep | undefined {
  switch (code) {
    case 'NOT_ENROLLED': {
      return nextStep(
        'ask an administrator of your tenant: plat admin user add <name> --subject',
        subject === undefined ? '<sub>' : [subject],
        '--issuer',
        [alias.issuer],
        '--role TenantUser; then plat cloud status',
      );
    }
    case 'UNAUTHENTICATED':
      return nextStep(
        ['plat', 'cloud', 'init', alias.name, '--api-url', alias.apiUrl],
        "reads the platform's identity provider again; then plat cloud login",
      );
    default:
      return next;
  }
}
