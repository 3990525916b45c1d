import type { Client } from 'pg';
import { asDirectory, TenantFault, type TenantRow } from './tenant-session';
import { TENANT_TABLES } from './tenant-tables';

/** The two databases of a move, each on a connection of its owner, and how the second's server reaches the first. */
export interface Cells {
  from: Client;
  to: Client;
  /** A connection URL with the right to replicate. It is stored in the second database until the move has ended. */
  replicationUrl: string;
}

/**
 * The tables that PostgreSQL replicates. Subjects name issuers, whose ids differ between cells; they are copied at the
 * switch.
 */
export const REPLICATED_TABLES = TENANT_TABLES.filter(({ name }) => name !== 'identity.subjects');

/** The name of the publication, the subscription and the slot of a move. */
export const moveName = ({ tenantId }: TenantRow): string => `plat_move_${tenantId.replaceAll('-', '')}`;

/**
 * Checks that a tenant can be moved, before anything is changed.
 *
 * @throws TenantFault with every reason why not
 */
export async function expectMovable({ from, to }: Cells, tenant: TenantRow): Promise<void> {
  const faults = [
    ...(await findSettingFaults(from, to)),
    ...(await nameFaults(to, tenant)),
    ...(await issuerFaults({ from, to }, tenant)),
  ];
  const { rows } = await asDirectory(from, () =>
    from.query<{ kind: string }>('SELECT kind FROM identity.tenants WHERE tenant_id = $1', [tenant.tenantId]),
  );
  if (rows[0]!.kind === 'operations') {
    faults.push(`${tenant.name} is an operations tenant, which belongs to its cell`);
  }
  if (faults.length === 0) return;
  throw new TenantFault(
    `${tenant.name} cannot be moved:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
}

async function findSettingFaults(from: Client, to: Client): Promise<string[]> {
  const faults: string[] = [];
  const [one, two] = await Promise.all([from, to].map(cellOf));
  if (one!.identifier === two!.identifier) faults.push('both addresses lead to the same PostgreSQL');
  if (one!.wal_level !== 'logical') {
    faults.push(
      'the old cell has wal_level = ' + one!.wal_level + ': set it to logical and restart PostgreSQL',
    );
  }
  if (one!.version !== two!.version) {
    faults.push(
      `the old cell has the schema ${one!.version}, the new one ${two!.version}: migrate both first`,
    );
  }
  if (!two!.superuser) {
    faults.push('TARGET_DATABASE_URL must be a superuser: the subscription writes past row-level security');
  }
  return faults;
}

async function cellOf(client: Client) {
  const { rows } = await client.query<{
    identifier: string;
    wal_level: string;
    version: string;
    superuser: boolean;
  }>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS identifier,
            current_setting('wal_level') AS wal_level, (SELECT version FROM identity.schema_version()) AS version,
            (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`,
  );
  return rows[0]!;
}

/** The rules of a directory's names, in the new cell. */
async function nameFaults(to: Client, { tenantId, name }: TenantRow): Promise<string[]> {
  const { rows } = await asDirectory(to, () =>
    to.query<{ name: string }>(
      `SELECT t.name FROM identity.tenants t LEFT JOIN identity.closed_tenants c USING (tenant_id)
        WHERE (t.tenant_id <> $1 OR c.reason IS DISTINCT FROM 'arriving')
          AND (t.tenant_id = $1 OR t.name = $2 OR starts_with(t.name, $2 || '-') OR starts_with($2, t.name || '-'))`,
      [tenantId, name],
    ),
  );
  return rows.map((row) => `the new cell has a tenant ${row.name}, of that id or of a name that collides`);
}

/** An issuer is the same one in both cells if its URL is; an organisation is one tenant's there too. */
async function issuerFaults({ from, to }: Pick<Cells, 'from' | 'to'>, tenant: TenantRow): Promise<string[]> {
  const [own, present] = await Promise.all([issuersOf(from, tenant.tenantId), allIssuers(to)]);
  return own.flatMap(({ name, url, audience, more_audiences: more, tenant_id: single }) => {
    const same = present.find((issuer) => issuer.url === url);
    if (!same) {
      return present.some((issuer) => issuer.name === name)
        ? [`the new cell has another issuer named ${name}`]
        : [];
    }
    const accepted = [same.audience, ...same.more_audiences];
    const missing = [audience, ...more].filter((each) => !accepted.includes(each));
    if (missing.length > 0) {
      return [
        `the issuer ${url} lacks the audience ${missing.join(', ')} in the new cell: add it to its list there`,
      ];
    }
    return (single === null) === (same.tenant_id === null) && [null, tenant.tenantId].includes(same.tenant_id)
      ? []
      : [`the issuer ${url} serves other tenants in the new cell`];
  });
}

export interface IssuerRow {
  issuer_id: string;
  name: string;
  url: string;
  audience: string;
  more_audiences: string[];
  tenant_id: string | null;
  organization_claim: string | null;
}

const ISSUER = 'i.issuer_id, i.name, i.url, i.audience, i.more_audiences, i.tenant_id, i.organization_claim';

const allIssuers = async (client: Client): Promise<IssuerRow[]> =>
  (await asDirectory(client, () => client.query<IssuerRow>(`SELECT ${ISSUER} FROM identity.issuers i`))).rows;

/** The issuers that a tenant's users sign in with. */
export const issuersOf = async (client: Client, tenantId: string): Promise<IssuerRow[]> =>
  (
    await asDirectory(client, () =>
      client.query<IssuerRow>(
        `SELECT ${ISSUER} FROM identity.issuers i
          WHERE i.tenant_id = $1
             OR EXISTS (SELECT FROM identity.organizations o WHERE o.issuer_id = i.issuer_id AND o.tenant_id = $1)
             OR EXISTS (SELECT FROM identity.subjects s WHERE s.issuer_id = i.issuer_id AND s.tenant_id = $1)`,
        [tenantId],
      ),
    )
  ).rows;
