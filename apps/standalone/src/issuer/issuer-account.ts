/** Somebody who can sign in at a local issuer by being picked from its page. */
export interface IssuerAccount {
  /** What the page calls the account, and its key for `mint`. Unique over both issuers. */
  name: string;
  /** The `sub` claim. */
  subject: string;
  /** One line under the name: who this is, what it may do. */
  description: string;
  /** The value of the org claim; absent at the single-tenant issuer. */
  org?: string;
}

/** The name of the claim that carries the organization at the shared issuer. Decision F2. */
export const ORG_CLAIM = 'org';
