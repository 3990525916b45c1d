import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Judgement } from './operator-tokens';
import { readToken } from './token-file';

/** How a request is refused. */
export interface Refusal {
  status: 401 | 503;
  message: string;
  /** The header WWW-Authenticate. RFC 6750. */
  challenge?: string;
}

/** Sources of the tokens that are accepted. */
export interface AcceptedTokens {
  /** The file with the server's own token. It is read for each request, so a new token counts at once. */
  tokenFile: string;
  /** Judges a token that is not the server's own. */
  judge(token: string): Promise<Judgement>;
}

const REALM = 'Bearer realm="plat mcp"';

/** The reason why the request's sender may not call tools; undefined if it may. Spec: API, Authentication, rule 7. */
export async function refuseCaller(
  { headers }: IncomingMessage,
  { tokenFile, judge }: AcceptedTokens,
): Promise<Refusal | undefined> {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined) return unauthorized('A bearer token is required.', REALM);
  const own = await readToken(tokenFile).catch(() => undefined);
  if (own !== undefined && isSame(own, given)) return undefined;
  switch (await judge(given)) {
    case 'operator':
      return undefined;
    case 'unknown':
      return { status: 503, message: 'The platform did not say whose token this is: repeat the request.' };
    case 'stranger':
      return unauthorized('The bearer token is not accepted.', `${REALM}, error="invalid_token"`);
  }
}

function unauthorized(message: string, challenge: string): Refusal {
  return { status: 401, message, challenge };
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(own: string, given: string): boolean {
  const [left, right] = [own, given].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
