/**
 * @peers pgbouncer pgbouncer-newer postgresql-15
 * @paths docs/operations.md libs/database libs/service/src tools/db apps/e2e/src/rotation apps/e2e/src/restore
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { buildService, claimsOf, type Pooler, startPooler, TokenIssuer } from '@plat/testing';
import { PageCommands } from './restore/page-commands';
import { Load } from './rotation/load';
import {
  fillOwnedDatabase,
  type OwnedDatabase,
  type PostgresVersion,
  startOwnedDatabase,
} from './rotation/owned-database';
import { Replica } from './rotation/replica';

const LOGIN = 'plat_reviews';
const FIRST = 'first-password';
/** The login with which the pooler asks for the passwords of others. */
const ASKING = 'pooler_asking';
const REFUSED = 'plat_database_url_refused';
const RELOADS = 'plat_configuration_reloads_total';

type Program = 'pgbouncer' | 'pgbouncer-newer';
type Knowledge = 'auth_file' | 'auth_query';

beforeAll(() => buildService('reviews'), 120_000);

/** Two replicas of a service under load, before a pooler of the given kind. */
class Stand {
  replicas: Replica[] = [];
  load!: Load;
  pooler!: Pooler;
  database!: OwnedDatabase;
  page!: PageCommands;
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly folder: string,
    private readonly program: Program,
    readonly knowledge: Knowledge,
  ) {}

  static async set(version: PostgresVersion, program: Program, knowledge: Knowledge): Promise<Stand> {
    const stand = new Stand(await mkdtemp(join(tmpdir(), 'plat-rotation-')), program, knowledge);
    stand.closing.push(() => rm(stand.folder, { recursive: true }));
    try {
      await stand.open(version);
      return stand;
    } catch (error) {
      await stand.strike();
      throw error;
    }
  }

  private async open(version: PostgresVersion): Promise<void> {
    const { folder } = this;
    this.page = await PageCommands.in(folder);
    this.database = await startOwnedDatabase(version, { page: this.page, folder: join(folder, 'database') });
    this.closing.push(() => this.database.cluster.stop());
    const issuer = await TokenIssuer.start();
    this.closing.push(() => issuer.stop());
    await fillOwnedDatabase(this.database, { issuerUrl: issuer.url, passwords: { [LOGIN]: FIRST } });
    this.pooler = await this.startPooler();
    this.closing.push(() => this.pooler.stop());
    await this.write(FIRST);
    for (let count = 0; count < 2; count++) {
      const replica = await Replica.start({
        DATABASE_URL_FILE: join(folder, 'reviews.url'),
        DATABASE_PREPARED_STATEMENTS: String(this.program === 'pgbouncer-newer'),
      });
      this.closing.push(() => replica.stop());
      this.replicas.push(replica);
    }
    const token = await issuer.token(claimsOf('alice'));
    this.load = new Load(
      this.replicas.map(({ url }) => url),
      `Bearer ${token}`,
      6,
    );
    this.closing.push(() => this.load.stop());
    await this.load.more(40);
  }

  private async startPooler(): Promise<Pooler> {
    const { program, knowledge, database } = this;
    const { port } = database.cluster;
    if (knowledge === 'auth_file') return startPooler(port, { program, passwords: { [LOGIN]: FIRST } });
    await database.asSuperuser(`CREATE ROLE ${ASKING} LOGIN SUPERUSER PASSWORD '${FIRST}'`);
    return startPooler(port, {
      program,
      passwords: { [ASKING]: FIRST },
      settings: {
        auth_user: ASKING,
        auth_query: 'SELECT usename, passwd FROM pg_shadow WHERE usename = $1',
      },
    });
  }

  /** Writes a password into the file of the services' address. */
  write(password: string): Promise<void> {
    return writeFile(join(this.folder, 'reviews.url'), this.database.url(LOGIN, password, this.pooler.port));
  }

  private follow(block: string): Promise<string> {
    return this.page.follow(block, {
      DATABASE_ADDRESS: `127.0.0.1:${this.pooler.port}`,
      DATABASE_URL: this.database.ownerUrl,
      USERLIST: join(this.pooler.folder, 'userlist.txt'),
      ...this.pooler.console,
    });
  }

  /** Follows the page from its first step to its last. */
  async rotate(): Promise<void> {
    const label = 'result="applied"';
    const before = await Promise.all(this.replicas.map((replica) => replica.figure(RELOADS, label)));
    await this.follow('rotate-file');
    await Promise.all(
      this.replicas.map((replica, place) =>
        replica.awaitFigure(RELOADS, { label, value: before[place]! + 1 }),
      ),
    );
    await this.load.more(40);
    await this.follow('rotate-database');
    if (this.knowledge === 'auth_file') await this.follow('rotate-pooler');
    await Promise.all(this.replicas.map((replica) => replica.awaitFigure(REFUSED, { value: 0 })));
    await this.load.more(40);
  }

  /** Ends the connections of the pooler's clients as well as its own. */
  followPooler(): Promise<string> {
    return this.page.follow('failover-pooler', this.pooler.console);
  }

  /** Lets the pooler make each of its connections to the database again, as it does in the course of an hour. */
  async reconnectPooler(): Promise<void> {
    await this.page.run('psql --dbname=pgbouncer --command=RECONNECT', this.pooler.console);
    await this.load.more(100);
  }

  async strike(): Promise<void> {
    for (const close of this.closing.reverse()) await close();
  }
}

describe.each<[Program, Knowledge, PostgresVersion]>([
  ['pgbouncer', 'auth_file', '15'],
  ['pgbouncer', 'auth_query', '18'],
  ['pgbouncer-newer', 'auth_file', '18'],
  ['pgbouncer-newer', 'auth_query', '15'],
])(
  'a password that rotates under load by the page, behind %s with %s, on PostgreSQL %s',
  (program, knowledge, version) => {
    let stand: Stand;
    beforeEach(async () => (stand = await Stand.set(version, program, knowledge)), 120_000);
    afterEach(() => stand.strike());

    it('fails no request, twice in a row, also once the pooler has made its connections again', async () => {
      for (let round = 0; round < 2; round++) {
        await stand.rotate();
        await stand.reconnectPooler();
      }
      expect(stand.load.failed).toEqual([]);
    }, 180_000);
  },
);

describe('a password that leaked, behind a pooler', () => {
  let stand: Stand;
  beforeAll(async () => (stand = await Stand.set('15', 'pgbouncer', 'auth_file')), 120_000);
  afterAll(() => stand.strike());

  it('is of no use to who has connected with it, once the command of a failover has ended its clients', async () => {
    const intruder = new Client(stand.database.url(LOGIN, FIRST, stand.pooler.port));
    intruder.on('error', () => undefined);
    await intruder.connect();
    await stand.rotate();
    await stand.database.asSuperuser(stand.page.quote('SELECT pg_terminate_backend'));
    // The pooler has a new session made for it.
    await intruder.query('SELECT').catch(() => intruder.query('SELECT'));
    await stand.followPooler();
    await expect(intruder.query('SELECT')).rejects.toThrow();
    await intruder.end().catch(() => undefined);
    // Requests whose connections were ended fail, and the services connect again.
    await stand.load.more(100);
    const { length: failed } = stand.load.failed;
    await stand.load.more(100);
    expect(stand.load.failed).toHaveLength(failed);
  }, 120_000);
});

describe('a new password of a login, behind a pooler', () => {
  let stand: Stand;
  beforeAll(async () => (stand = await Stand.set('18', 'pgbouncer', 'auth_query')), 120_000);
  afterAll(() => stand.strike());

  it('that the database does not know leaves the former one in use, with one figure and one line of the log', async () => {
    await stand.write('never-set');
    await Promise.all(stand.replicas.map((replica) => replica.awaitFigure(REFUSED, { value: 1 })));
    await stand.load.more(100);
    for (const { lines } of stand.replicas) {
      expect(lines.filter((line) => line.includes('refuses the new DATABASE_URL'))).toHaveLength(1);
      expect(lines.join('')).not.toContain('never-set');
    }
    expect(stand.load.failed).toEqual([]);
  }, 60_000);

  it('in a file that is no address is refused and counted, and the former one stays in use', async () => {
    await writeFile(join(stand.folder, 'reviews.url'), 'malformed');
    const label = 'result="refused"';
    await Promise.all(stand.replicas.map((replica) => replica.awaitFigure(RELOADS, { label, value: 1 })));
    await stand.load.more(40);
    expect(stand.load.failed).toEqual([]);
  }, 60_000);
});
