import { withoutUserinfo } from './printable';

const JWT = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;
const BEARER = /\b(Bearer\s+)(?!\*\*\*)[^\s"']+/gi;
const SECRET_FIELD = /("(?:[A-Za-z_]*token|password|secret|authorization)"\s*:\s*")[^"]*/gi;

/** The text without the tokens and passwords that are recognised as such. */
export function maskTokens(text: string): string {
  return withoutUserinfo(text).replace(JWT, '***').replace(BEARER, '$1***').replace(SECRET_FIELD, '$1***');
}
