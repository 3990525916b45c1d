import { randomUUID } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import { type IssuerAccount, ORG_CLAIM } from './issuer-account';
import { SIGNING_ALGORITHM } from './issuer-keys';
import { CLI_CLIENT_ID } from './provider';

export interface MintOptions {
  issuer: string;
  audience: string;
  key: JWK;
  account: IssuerAccount;
}

/** Signs an access token like those of the token endpoint, for the ready file; valid for 24 hours. */
export async function mintToken({ issuer, audience, key, account }: MintOptions): Promise<string> {
  const claims = {
    client_id: CLI_CLIENT_ID,
    [ORG_CLAIM]: account.org,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: key.kid as string, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject(account.subject)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('24h')
    .sign(await importJWK(key, SIGNING_ALGORITHM));
}
