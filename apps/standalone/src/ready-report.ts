import type { Directory } from '@plat/database';
import type { DevelopmentAccount } from './development/accounts';
import type { Issuers } from './issuer/issuers';
import type { ReadyAccount, ReadyReport } from './ready-file';

export interface ReadyFacts {
  apiUrl: string;
  databaseUrl: string;
  issuers: Issuers;
  directory: Directory;
  accounts: readonly DevelopmentAccount[];
}

/** Puts the ready file's content together, with a fresh token for each account. */
export async function readyReport({
  apiUrl,
  databaseUrl,
  issuers,
  directory,
  accounts,
}: ReadyFacts): Promise<ReadyReport> {
  const tokens = await Promise.all(accounts.map(({ name }) => issuers.mint(name)));
  return {
    apiUrl,
    issuer: issuers.issuer,
    soloIssuer: issuers.soloIssuer,
    databaseUrl,
    pid: process.pid,
    accounts: Object.fromEntries(
      accounts.map((account, place) => [account.name, readyAccount(account, tokens[place] ?? '')]),
    ),
    environments: Object.fromEntries(
      directory.environments.flatMap(({ tenant, name, id }) =>
        id === undefined ? [] : [[`${tenant}/${name}`, id]],
      ),
    ),
  };
}

function readyAccount(
  { tenant, tenantId, userId, subject, roles }: DevelopmentAccount,
  token: string,
): ReadyAccount {
  return {
    tenant,
    tenantId,
    userId,
    subject,
    roles,
    token,
  };
}

/**
 * Checks, as a client, that the services are ready, both issuers can be discovered, and a token is resolved to its
 * bearer's permissions. It uses Dave, who has no permissions unless he was given a role, because a refused request
 * leaves the audit trail of fresh data empty.
 *
 * @throws Error naming what does not answer as it should
 */
export async function expectAnswers({ apiUrl, issuer, soloIssuer, accounts }: ReadyReport): Promise<void> {
  await expectStatus([200], `${apiUrl}/readyz`);
  for (const address of [issuer, soloIssuer]) {
    await expectStatus([200], `${address}/.well-known/openid-configuration`);
  }
  await expectStatus([403, 200], `${apiUrl}/v1/whoami`, { authorization: `Bearer ${accounts.dave?.token}` });
}

async function expectStatus(
  statuses: readonly number[],
  url: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const response = await fetch(url, { headers: { ...headers, connection: 'close' } });
  const body = await response.text();
  if (!statuses.includes(response.status)) {
    throw new Error(`After the start, ${url} answers ${response.status}: ${body}`);
  }
}
