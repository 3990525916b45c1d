/** An account that a person can pick from the page of a local issuer to sign in. */
export interface IssuerAccount {
  /** The account's name on the page, and its key for `mint`. Unique over both issuers. */
  name: string;
  /** The `sub` claim. */
  subject: string;
  /** One line under the name: who this is, what it may do. */
  description: string;
  /** The value of the org claim; absent at the single-tenant issuer. */
  org?: string;
}

/** The name of the claim that carries the organization at the shared issuer. Rule F2. */
export const ORG_CLAIM = 'org';
