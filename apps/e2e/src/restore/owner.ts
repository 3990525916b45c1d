import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, SOURCE_SCHEMA } from '@plat/database';
import type { PageCommands } from './page-commands';
import { ask } from './portrait';

/** The schemas that have an owner role of their own, each with one of its tables. */
const OWNED = {
  identity: 'users',
  reviews: 'reviews',
  builds: 'builds',
  releases: 'releases',
  audit: 'audit_events',
  environments: 'environments',
  ledger: 'logs',
};

/** Makes a test's database, which a superuser has migrated, that of the owner of docs/operations.md. */
export async function giveToOwner(superuserUrl: string, page: PageCommands): Promise<void> {
  const [makeOwner, , grantParameter] = page.block('sql', 'owner').trim().split('\n');
  const database = new URL(superuserUrl).pathname.slice(1);
  const statements = [
    makeOwner!,
    grantParameter!,
    `ALTER DATABASE ${database} OWNER TO plat_owner`,
    'ALTER SCHEMA migrations OWNER TO plat_owner',
    'ALTER SCHEMA tenancy OWNER TO plat_owner',
    `DO $$ DECLARE f regprocedure; BEGIN
       FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'tenancy'::regnamespace LOOP
         EXECUTE format('ALTER ROUTINE %s OWNER TO plat_owner', f);
       END LOOP; END $$`,
    // Removes the notes that migrate made as the superuser: it notes the owner's objects below.
    'UPDATE migrations.functions SET made = NULL',
    'DELETE FROM migrations.objects',
    `DO $$ DECLARE t regclass; BEGIN
       FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'migrations'::regnamespace AND relkind = 'r' LOOP
         EXECUTE format('ALTER TABLE %s OWNER TO plat_owner', t);
       END LOOP; END $$`,
    `DO $$ DECLARE r name; BEGIN
       FOR r IN SELECT rolname FROM pg_roles WHERE rolname ~ '^plat_([a-z]+_owner|inspector|ledger_sealer)$' LOOP
         EXECUTE format('GRANT %I TO plat_owner', r);
       END LOOP; END $$`,
  ];
  for (const statement of statements) await ask(superuserUrl, statement);
  await administer(superuserUrl);
  const asOwner = new URL(superuserUrl);
  asOwner.searchParams.set('options', '-c role=plat_owner');
  await migrate(asOwner.href);
}

/** From PostgreSQL 16 on, a role that makes another one administers that one alone. The owner makes all roles of plat. */
async function administer(superuserUrl: string): Promise<void> {
  const [row] = await ask(superuserUrl, "SELECT current_setting('server_version_num') AS version");
  if (Number(row!.version) < 160_000) return;
  await ask(
    superuserUrl,
    `DO $$ DECLARE made record; BEGIN
       FOR made IN SELECT * FROM pg_roles WHERE rolname ~ '^plat_' AND rolname <> 'plat_owner' LOOP
         EXECUTE format('GRANT %I TO plat_owner WITH ADMIN TRUE', made.rolname)
           || CASE WHEN made.rolcanlogin THEN ', INHERIT FALSE, SET FALSE' ELSE '' END;
       END LOOP; END $$`,
  );
}

/** Applies a migration of a release to come, which alters and creates in every schema. */
export async function migrateOnce(ownerUrl: string, folder: string): Promise<void> {
  const migrationsDir = await mkdtemp(join(folder, 'next-release-'));
  await cp(SOURCE_SCHEMA.migrationsDir, migrationsDir, { recursive: true });
  const statements = Object.entries(OWNED).map(
    ([schema, table]) => `
ALTER TABLE ${schema}.${table} ADD COLUMN of_the_drill text;
ALTER TABLE ${schema}.${table} DROP COLUMN of_the_drill;
CREATE FUNCTION ${schema}.of_the_drill() RETURNS int LANGUAGE sql RETURN 1;
ALTER FUNCTION ${schema}.of_the_drill() OWNER TO plat_${schema}_owner;
DROP FUNCTION ${schema}.of_the_drill();`,
  );
  await writeFile(join(migrationsDir, '9999_of_the_drill.sql'), statements.join('\n'));
  const { migrations } = await migrate(ownerUrl, { ...SOURCE_SCHEMA, migrationsDir });
  if (!migrations.includes('9999_of_the_drill')) throw new Error(`only ${migrations.join()} was applied`);
}

/** Rotates a login's password by the page, and logs in with what its file has then. @returns the login of the session */
export async function rotateLogin(
  ownerUrl: string,
  { page, folder }: { page: PageCommands; folder: string },
): Promise<string> {
  const { host } = new URL(ownerUrl);
  await page.follow('rotate-file', { DATABASE_ADDRESS: host });
  await page.follow('rotate-database', { DATABASE_URL: ownerUrl });
  const [row] = await ask(
    await readFile(join(folder, 'reviews.url'), 'utf8'),
    'SELECT session_user::text AS login',
  );
  return row!.login!;
}

/** The findings of a check of `npm run db -- doctor`. */
export async function findingsOf(check: string, ownerUrl: string, page: PageCommands): Promise<unknown[]> {
  // It ends with 1 if another check finds an error, such as the missing durability of a test's database.
  const text = await page.run('npm run db -- doctor --json || true', { DATABASE_URL: ownerUrl });
  const { findings } = JSON.parse(text) as { findings: { check: string }[] };
  return findings.filter((finding) => finding.check === check);
}
