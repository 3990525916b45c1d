import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { IssuerAccount } from './issuer-account';
import { issuerAddress, type MountedIssuer, mountIssuer } from './mounted-issuer';

export interface IssuersOptions {
  /** Scheme, host and port under which people and services reach the issuers, without a trailing slash. */
  baseUrl: string;
  /** The folder for keys and refresh tokens; made when missing. */
  dataDir: string;
  /** The `aud` of access tokens. */
  audience: string;
  /** The accounts of the org-scoped issuer; each has an org. */
  sharedAccounts: readonly IssuerAccount[];
  /** The accounts of the single-tenant issuer. */
  soloAccounts: readonly IssuerAccount[];
  /** Receives the issuers' own faults, never a client's mistake. */
  onFault: (error: unknown) => void;
}

/** The two local OpenID issuers. */
export interface Issuers {
  /** The org-scoped issuer's identifier. */
  issuer: string;
  /** The single-tenant issuer's identifier. */
  soloIssuer: string;
  /** Answers the request when its path is an issuer's; false leaves it to the caller. */
  handle: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** A token for the API as a sign-in would give it, valid for 24 hours. @throws when no account has the name. */
  mint(accountName: string): Promise<string>;
}

/** The issuers' identifiers, which the directory needs before the issuers are open. */
export function issuerAddresses(baseUrl: string): { issuer: string; soloIssuer: string } {
  return { issuer: issuerAddress(baseUrl, 'shared'), soloIssuer: issuerAddress(baseUrl, 'solo') };
}

/** Opens both issuers below `/issuers`. */
export async function createIssuers(options: IssuersOptions): Promise<Issuers> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const mount = (name: string, accounts: readonly IssuerAccount[]): Promise<MountedIssuer> =>
    mountIssuer({
      name,
      accounts,
      baseUrl: options.baseUrl,
      audience: options.audience,
      keyFile: join(options.dataDir, `${name}.key.json`),
      stateFile: join(options.dataDir, `${name}.state.json`),
      onFault: options.onFault,
    });
  // One after the other, so that no second issuer is still writing files when the first one fails.
  const shared = await mount('shared', options.sharedAccounts);
  const solo = await mount('solo', options.soloAccounts);
  return {
    issuer: shared.issuer,
    soloIssuer: solo.issuer,
    handle: (req, res) => shared.handle(req, res) || solo.handle(req, res),
    mint(accountName) {
      for (const home of [shared, solo]) {
        const account = home.accounts.find(({ name }) => name === accountName);
        if (account) return home.mint(account);
      }
      throw new Error(`There is no development account ${accountName}.`);
    },
  };
}
