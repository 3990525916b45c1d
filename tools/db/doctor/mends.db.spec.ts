import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { keepRefusalsOutOfLog, migrate, SOURCE_SCHEMA } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { examine } from './doctor';

/** Who runs a mend: docs/operations.md leaves those of roles and settings to a superuser. */
type Mender = 'owner' | 'superuser';

/** Damage: the statement that does it, the mender, and what is found, by check. */
type Damage = [statement: string, mender: Mender, found: Record<string, RegExp[]>];

const LOGINS = ['reviews', 'builds', 'releases', 'audit', 'platform'];
const EARLY = /^builds\.builds has no partition for the time before its first month$/;

const DAMAGES: Damage[] = [
  [
    'ALTER TABLE builds.builds DETACH PARTITION builds.builds_early; DROP TABLE builds.builds_early',
    'owner',
    { 'early-partitions': [EARLY] },
  ],
  [
    'ALTER TABLE builds.builds DETACH PARTITION builds.builds_early',
    'owner',
    { 'early-partitions': [/builds_early is detached$/] },
  ],
  [
    'GRANT TEMPORARY ON DATABASE plat TO PUBLIC; GRANT CREATE ON DATABASE plat TO plat_audit; GRANT CREATE ON SCHEMA public TO PUBLIC',
    'owner',
    {
      'making-objects': [
        /^PUBLIC may make temporary tables in the database plat$/,
        /^plat_audit may make schemas in the database plat$/,
        /^PUBLIC may make objects in the schema public$/,
      ],
    },
  ],
  ['DELETE FROM identity.proof_keys', 'owner', { 'proof-key': [/^identity\.proof_keys has no key$/] }],
  [
    'REVOKE CONNECT ON DATABASE plat FROM PUBLIC',
    'superuser',
    { logins: LOGINS.map((name) => new RegExp(`^plat_${name} may not connect to the database plat$`)) },
  ],
  [
    `GRANT CONNECT ON DATABASE plat TO ${LOGINS.map((name) => `plat_${name}`).join(', ')};
     REVOKE CONNECT ON DATABASE plat FROM plat_platform, PUBLIC`,
    'owner',
    { logins: [/^plat_platform may not connect/] },
  ],
  [
    'ALTER ROLE plat_reviews SET row_security = off',
    'superuser',
    { 'session-settings': [/^ROLE plat_reviews has row_security=off$/] },
  ],
  [
    "ALTER DATABASE plat SET row_security = 'fal'",
    'superuser',
    { 'session-settings': [/^DATABASE plat has row_security=fal$/] },
  ],
  [
    'ALTER ROLE plat_reviews SET search_path = reviews, pg_catalog',
    'superuser',
    { 'login-settings': [/^ROLE plat_reviews has search_path=reviews, pg_catalog$/] },
  ],
  [
    `ALTER ROLE plat_builds SET "plat.select" = 'x'`,
    'superuser',
    { 'login-settings': [/^ROLE plat_builds has plat\.select=x$/] },
  ],
  [
    'ALTER ROLE plat_audit IN DATABASE plat SET statement_timeout = 0',
    'superuser',
    { 'login-settings': [/^ROLE plat_audit IN DATABASE plat has statement_timeout=0$/] },
  ],
  [
    "ALTER ROLE plat_builds RESET lock_timeout; ALTER ROLE plat_builds SET TimeZone = 'Asia/Tokyo'",
    'superuser',
    {
      'login-settings': [
        /^ROLE plat_builds has TimeZone=Asia\/Tokyo$/,
        /^ROLE plat_builds has no lock_timeout$/,
      ],
    },
  ],
];

/** The owner is no superuser: docs/operations.md makes the role so. */
describe('db doctor prints mends', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let ownerUrl: string;
  const sessions = {} as Record<Mender, Client>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-mends-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: true });
    const first = new Client({ connectionString: cluster.url() });
    await first.connect();
    await first.query(`CREATE ROLE plat_owner LOGIN CREATEROLE PASSWORD 'test'`);
    await first.query('CREATE DATABASE plat OWNER plat_owner');
    await first.query('GRANT SET ON PARAMETER log_min_messages TO plat_owner');
    await first.end();
    ownerUrl = urlOf('plat_owner');
    await migrate(ownerUrl, SOURCE_SCHEMA);
    await keepRefusalsOutOfLog(ownerUrl);
    sessions.owner = new Client({ connectionString: ownerUrl });
    sessions.superuser = new Client({ connectionString: cluster.url('plat') });
    for (const session of Object.values(sessions)) await session.connect();
  }, 120_000);
  afterAll(async () => {
    for (const session of Object.values(sessions)) await session.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const urlOf = (role: string): string =>
    Object.assign(new URL(cluster.url('plat')), { username: role, password: 'test' }).href;
  const look = () => examine(ownerUrl, SOURCE_SCHEMA);

  it.each(DAMAGES)('after which nothing is found of: %s, run by the %s', async (damage, mender, expected) => {
    await sessions.superuser.query(damage);
    const found = await look();
    try {
      expect(found.map(({ check, what }) => [check, what])).toEqual(
        Object.entries(expected).flatMap(([check, whats]) =>
          whats.map((what) => [check, expect.stringMatching(what)]),
        ),
      );
    } finally {
      for (const { mend } of found) await sessions[mender].query(mend);
    }
    expect(await look()).toEqual([]);
  });

  it('and finds nothing about what an operator sets for the whole database', async () => {
    await sessions.owner.query(`ALTER DATABASE plat SET work_mem = '8MB'`);
    expect(await look()).toEqual([]);
    await sessions.owner.query('ALTER DATABASE plat RESET work_mem');
  });

  it('and reads the catalogue in the same way whatever search_path the database has', async () => {
    await sessions.owner.query('ALTER DATABASE plat SET search_path = identity, builds, pg_catalog');
    expect(await look()).toEqual([]);
    await sessions.owner.query('ALTER DATABASE plat RESET search_path');
  });

  it('and names the backup if the table of the key itself is missing', async () => {
    await sessions.owner.query('ALTER TABLE identity.proof_keys RENAME TO kept');
    expect((await look()).map(({ check, what }) => [check, what])).toContainEqual([
      'objects',
      'the table identity.proof_keys is missing',
    ]);
    await sessions.owner.query('ALTER TABLE identity.kept RENAME TO proof_keys');
    expect(await look()).toEqual([]);
  });
});
