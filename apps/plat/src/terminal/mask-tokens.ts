import { withoutCredentials } from './printable';

/** Bounded, so that crafted output cannot make the search slow. */
const JWT = /\beyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;
const OF_A_FORGE = /\b(?:gh[opsur]_|github_pat_|glpat-)[A-Za-z0-9_.-]{16,}/g;
const BEARER = /\b(Bearer\s+)(?!\*\*\*)[^\s"']+/gi;
const AUTHORIZATION = /\b(Authorization:\s*(?:Basic|token)\s+)[^\s"']+/gi;
const SECRET_FIELD = /("(?:[A-Za-z_]*token|password|secret|authorization)"\s*:\s*")[^"]*/gi;

/** The text without the recognised tokens and passwords. */
export function maskTokens(text: string): string {
  return withoutCredentials(text)
    .replace(JWT, '***')
    .replace(OF_A_FORGE, '***')
    .replace(BEARER, '$1***')
    .replace(AUTHORIZATION, '$1***')
    .replace(SECRET_FIELD, '$1***');
}
