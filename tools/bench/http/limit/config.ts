/** Configuration of the limit server: the logins of the service and the owner, and which tokens it accepts. */
export interface LimitConfig {
  port: number;
  databaseUrl: string;
  ownerUrl: string;
  issuer: string;
  audience: string;
  organizationClaim: string;
}

/** @throws Error naming a variable that is not set */
export function readLimitConfig(environment: Record<string, string | undefined>): LimitConfig {
  const read = (name: string): string => {
    const value = environment[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  return {
    port: Number(read('PORT')),
    databaseUrl: read('DATABASE_URL'),
    ownerUrl: read('OWNER_URL'),
    issuer: read('ISSUER'),
    audience: read('AUDIENCE'),
    organizationClaim: read('ORGANIZATION_CLAIM'),
  };
}
