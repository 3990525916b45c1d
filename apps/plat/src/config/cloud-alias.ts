/** The kind of an alias for a platform, the only kind that this client uses. Other kinds belong to cloud vendors. */
export const PLATFORM_KIND = 'platform';

/** A platform that this machine stores under a short name. Rule G3. */
export interface PlatformAlias {
  name: string;
  kind: typeof PLATFORM_KIND;
  /** Base address of calls, without a trailing slash. */
  apiUrl: string;
  /** Resource indicator (RFC 8707) of tokens: the API's own name for itself. */
  audience: string;
  /** OIDC issuer to sign in with. */
  issuer: string;
  /** This client's id at the issuer. */
  clientId: string;
}

/** An alias as stored in the file: of any kind, and possibly edited by hand. */
export type AliasEntry = { name: string } & Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Whether the text is a valid name of an alias: letters, digits, dot, underscore and hyphen, 63 at most. */
export function isAliasName(text: string): boolean {
  return NAME.test(text);
}

const FIELDS = ['apiUrl', 'audience', 'issuer', 'clientId'] as const;

/** The fields that the entry lacks to be a platform alias; empty if it is complete. */
export function missingFields(entry: AliasEntry): string[] {
  return FIELDS.filter((field) => typeof entry[field] !== 'string' || entry[field].trim() === '');
}
