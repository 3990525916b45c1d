import type { AddressInfo, Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestDatabase, makeSelfSignedCertificate, serveTls, type TestDatabase } from '@plat/testing';
import { Database } from '../transactions/database';
import { tryLogin } from './connection';
import { DatabaseAddress } from './database-address';
import { DeadlineClient } from './deadline-client';

const LOGIN = 'spec_rotating';
const options = { applicationName: 'spec', poolSizeMax: 2, preparedStatements: true };
const backend = { name: 'backend', text: 'SELECT pg_backend_pid() AS pid', values: [] };
const who = { name: 'who', text: 'SELECT session_user::text AS login', values: [] };

describe('a password that rotates', () => {
  let test: TestDatabase;
  const open: Database[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    await test.query(`CREATE ROLE ${LOGIN} LOGIN IN ROLE plat_reviews`);
  });
  beforeEach(() => inDatabase('one'));
  afterEach(() => Promise.all(open.splice(0).map((database) => database.close())));
  afterAll(async () => {
    await test.query(`DROP ROLE ${LOGIN}`);
    await test.drop();
  });

  const inDatabase = (password: string) => test.query(`ALTER ROLE ${LOGIN} PASSWORD '${password}'`);
  function urlWith(password: string): string {
    const url = new URL(test.ownerUrl);
    [url.username, url.password] = [LOGIN, password];
    return url.toString();
  }
  async function connectWith(password: string) {
    const address = new DatabaseAddress({ url: urlWith(password) });
    const database = await Database.connect({ ...options, url: address });
    open.push(database);
    return { address, database };
  }
  /** Uses two connections at once, so that at least one is new. */
  const use = (database: Database) =>
    Promise.all([database.run<{ login: string }>(who), database.run<{ login: string }>(who)]);

  /** The backends that answer two statements at once. */
  async function listBackends(database: Database): Promise<number[]> {
    const ask = () => database.run<{ pid: number }>(backend);
    return (await Promise.all([ask(), ask()])).flatMap((rows) => rows.map(({ pid }) => pid));
  }

  it('may reach the service before the database', async () => {
    const { address, database } = await connectWith('one');
    address.replace({ url: urlWith('two') });
    await expect(use(database)).resolves.toHaveLength(2);
    await inDatabase('two');
    await cutConnections(test, database);
    await expect(use(database)).resolves.toHaveLength(2);
    expect(address.url).toBe(urlWith('two'));
  });

  it('may reach the database before the service, whose connections go on', async () => {
    const { address, database } = await connectWith('one');
    await database.run(who);
    await inDatabase('two');
    await expect(database.run(who)).resolves.toEqual([{ login: LOGIN }]);
    address.replace({ url: urlWith('two') });
    await expect(use(database)).resolves.toHaveLength(2);
  });

  it('may reach the database first while no connection is left: a new one waits for it', async () => {
    const { address, database } = await connectWith('one');
    for (const [before, after] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      expect(address.url).toBe(urlWith(before));
      await inDatabase(after);
      await cutConnections(test, database);
      const answers = use(database);
      setImmediate(() => address.replace({ url: urlWith(after) }));
      await expect(answers).resolves.toHaveLength(2);
    }
  });

  it('may be replaced twice before it reaches the database', async () => {
    const { address, database } = await connectWith('one');
    address.replace({ url: urlWith('two') });
    address.replace({ url: urlWith('three') });
    await cutConnections(test, database);
    await expect(use(database)).resolves.toHaveLength(2);
    await inDatabase('three');
    await cutConnections(test, database);
    await expect(use(database)).resolves.toHaveLength(2);
    expect(address.url).toBe(urlWith('three'));
  });

  it('replaces the connections made with the former one before they are used again', async () => {
    const { address, database } = await connectWith('one');
    await use(database);
    const before = await backends(test);
    await inDatabase('two');
    address.replace({ url: urlWith('two') });
    expect((await listBackends(database)).filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('that the database does not know yet is tried again by itself, and reported once', async () => {
    const address = new DatabaseAddress({ url: urlWith('one') }, tryLogin, { waitMs: 5_000, retryMs: 50 });
    let reports = 0;
    address.onRefused = () => reports++;
    const database = await Database.connect({ ...options, url: address });
    open.push(database);
    address.replace({ url: urlWith('two') });
    await use(database);
    expect(address.isNewestRefused).toBe(true);
    await inDatabase('two');
    // No connection is made meanwhile but those that try the new password.
    while (address.isNewestRefused) await new Promise((resolve) => setImmediate(resolve));
    expect([address.url, reports]).toEqual([urlWith('two'), 1]);
    const before = await backends(test);
    expect((await listBackends(database)).filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('that is replaced by the former one is not tried any more', async () => {
    const tried: string[] = [];
    const note = async ({ url }: { url: string }) => {
      tried.push(url);
      return Promise.reject(new Error('refused'));
    };
    const address = new DatabaseAddress({ url: urlWith('one') }, note, { waitMs: 5_000, retryMs: 10 });
    const database = await Database.connect({ ...options, url: address });
    open.push(database);
    address.replace({ url: urlWith('two') });
    await use(database);
    while (tried.length === 0) await new Promise((resolve) => setImmediate(resolve));
    address.replace({ url: urlWith('one') });
    const count = tried.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([address.isNewestRefused, tried.length]).toEqual([false, count]);
  });

  it('is refused if neither it nor the former one is right', async () => {
    const { address, database } = await connectWith('one');
    address.replace({ url: urlWith('two') });
    await inDatabase('three');
    await expect(database.run(who)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: '28P01' },
    });
  });

  it('is not replaced by a former one for any other fault', async () => {
    const address = new DatabaseAddress({ url: urlWith('one') });
    address.replace({ url: urlWith('two') });
    await expect(address.refuses(urlWith('two'), new Error('connect ECONNREFUSED'))).resolves.toBe(false);
    expect(address.url).toBe(urlWith('two'));
  });
});

const backends = async (test: TestDatabase): Promise<number[]> =>
  (
    await test.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE usename = '${LOGIN}'
                                          AND datname = current_database()`)
  ).map(({ pid }) => pid);

/** Ends the connections, and waits until the service has seen it: a statement before that would have no answer. */
async function cutConnections(test: TestDatabase, database: Database): Promise<void> {
  await test.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '${LOGIN}'
                 AND datname = current_database()`);
  while (database.connections.idle > 0) await nextTurn();
}

describe('a connection to a database with a private certificate authority', () => {
  let test: TestDatabase;
  let front: Server;
  let cert: string;
  beforeAll(async () => {
    test = await createTestDatabase();
    const own = await makeSelfSignedCertificate();
    cert = own.cert;
    front = await serveTls(own, Number(new URL(test.ownerUrl).port));
  });
  afterAll(async () => {
    front.close();
    await test.drop();
  });

  function addressOf(host: string, certificateAuthorities?: string): DatabaseAddress {
    const url = new URL(test.url('plat_reviews'));
    [url.hostname, url.port] = [host, `${(front.address() as AddressInfo).port}`];
    return new DatabaseAddress({ url: url.toString(), certificateAuthorities });
  }
  async function connectTo(address: DatabaseAddress): Promise<string> {
    const client = new DeadlineClient({ address, deadlineMs: 5_000 });
    await client.connect();
    const { rows } = await client.query<{ login: string }>(who.text);
    await client.end();
    return rows[0]!.login;
  }

  it('is made over TLS if the certificate is of the authority and names the host', async () => {
    await expect(connectTo(addressOf('localhost', cert))).resolves.toBe('plat_reviews');
  });

  it("is refused if the certificate is another authority's", async () => {
    const other = await makeSelfSignedCertificate();
    await expect(connectTo(addressOf('localhost', other.cert))).rejects.toThrow(/self-signed certificate/);
  });

  it('is refused if the certificate names another host', async () => {
    const address = addressOf('127.0.0.2', cert);
    await expect(connectTo(address)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('is refused by a server without TLS', async () => {
    const url = test.url('plat_reviews');
    const address = new DatabaseAddress({ url, certificateAuthorities: cert });
    await expect(connectTo(address)).rejects.toThrow('The server does not support SSL connections');
  });
});
