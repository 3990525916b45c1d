import type { DataSource } from 'typeorm';
import { SCHEMA_VERSION } from '../schema-version';

const UNDEFINED_FUNCTION = '42883';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Why a service must not serve with this login, or on this schema; undefined when it may.
 *
 * @param login the login role of the service; any, when absent
 */
export async function startFault(dataSource: DataSource, login?: string): Promise<string | undefined> {
  return (await loginFault(dataSource, login)) ?? schemaFault(dataSource);
}

async function loginFault(dataSource: DataSource, login?: string): Promise<string | undefined> {
  const [row] = await dataSource.query<{ login: string }[]>('SELECT session_user::text AS login');
  if (login === undefined || row!.login === login) return undefined;
  return `the database login is ${row!.login}, and this service's own is ${login}`;
}

/** The fault of a schema that is too old or too new for this release. */
async function schemaFault(dataSource: DataSource): Promise<string | undefined> {
  const { version, worksFrom } = await schemaVersion(dataSource);
  if (version < SCHEMA_VERSION) {
    const found = version === '' ? 'not migrated' : `at ${version}`;
    return `the schema is ${found}, and this release needs ${SCHEMA_VERSION}: run npm run db -- migrate`;
  }
  if (worksFrom <= SCHEMA_VERSION) return undefined;
  return (
    `the schema is at ${version}, which works with releases from ${worksFrom} on, ` +
    `and this one is built for ${SCHEMA_VERSION}: start a newer release`
  );
}

/** The state of a schema that has stated none. */
const UNSTATED = { version: '', worksFrom: '' };

async function schemaVersion(dataSource: DataSource): Promise<{ version: string; worksFrom: string }> {
  try {
    const [row] = await dataSource.query<{ version: string; worksFrom: string }[]>(
      'SELECT version, works_from AS "worksFrom" FROM identity.schema_version()',
    );
    return row ?? UNSTATED;
  } catch (error) {
    // The schema is older than its version function, or does not know the login.
    if (!isMissing(error)) throw error;
    return UNSTATED;
  }
}

const isMissing = (error: unknown): boolean =>
  [UNDEFINED_FUNCTION, INSUFFICIENT_PRIVILEGE, '3F000'].includes((error as { code?: string }).code ?? '');
