import { newId } from '@plat/contracts/core';
import { applyDirectory, Database } from '@plat/database';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { type AuditRow, AuditWriter } from './audit-writer';

/** The subject and issuer in the token of every caller here. */
const CALLER = { externalUserId: 'subject', externalIssuerId: 'https://issuer.example' };

describe('the audit writer', () => {
  let trail: TestDatabase;
  let database: Database;
  const proofs = {} as Record<'alice' | 'mallory' | 'olga', string>;
  beforeAll(async () => {
    trail = await createTestDatabase();
    await applyDirectory(trail.ownerUrl, testDirectory(CALLER.externalIssuerId));
    for (const user of ['alice', 'mallory', 'olga'] as const) proofs[user] = await proofOf(user);
    const url = trail.url('plat_platform');
    database = await Database.connect({
      url,
      applicationName: 'spec',
      poolSizeMax: 1,
      preparedStatements: true,
    });
  });
  afterAll(async () => {
    await database.close();
    await trail.drop();
  });

  const proofOf = async (user: 'alice' | 'mallory' | 'olga') =>
    (
      await proveScope(trail, user, {
        issuer: CALLER.externalIssuerId,
        subject: CALLER.externalUserId,
        organization: organizationOf(user),
      })
    ).proof;
  const organizationOf = (user: keyof typeof proofs) => TEST_TENANTS[TEST_USERS[user].tenant].organization;

  const row = (given: Partial<AuditRow> = {}): AuditRow => ({
    proof: proofs.alice,
    auditEventId: newId(),
    requestId: newId(),
    ...CALLER,
    externalOrgId: TEST_TENANTS.acme.organization,
    type: 'API',
    apiMethod: 'GET',
    apiPath: '/v1/reviews/{review_id}',
    ...given,
  });
  const listWritten = async (rows: AuditRow[]) =>
    (
      await trail.query<{ id: string }>(
        'SELECT audit_event_id AS id FROM audit.audit_events WHERE audit_event_id = ANY ($1) ORDER BY created_at, audit_event_id',
        [rows.map(({ auditEventId }) => auditEventId)],
      )
    ).map(({ id }) => id);
  const bundle = () => ({ writer: new AuditWriter(database), statements: jest.spyOn(database, 'run') });
  afterEach(() => jest.restoreAllMocks());

  it('resolves once the row is committed', async () => {
    const { writer } = bundle();
    const one = row();
    await writer.record(one);
    expect(await listWritten([one])).toEqual([one.auditEventId]);
  });

  it('writes the rows of concurrent requests in groups, in the order of their arrival', async () => {
    const { writer, statements } = bundle();
    const rows = Array.from({ length: 100 }, () => row());
    await Promise.all(rows.map((each) => writer.record(each)));
    expect(statements).toHaveBeenCalledTimes(2);
    expect(await listWritten(rows)).toEqual(rows.map(({ auditEventId }) => auditEventId));
  });

  it('writes rows of several tenants in one group', async () => {
    const { writer } = bundle();
    const rows = (['alice', 'mallory', 'olga'] as const).map((user) =>
      row({ proof: proofs[user], externalOrgId: organizationOf(user) }),
    );
    await Promise.all(rows.map((each) => writer.record(each)));
    expect(await listWritten(rows)).toHaveLength(3);
  });

  it('bounds a group: what piled up during a stall is several statements', async () => {
    const { writer, statements } = bundle();
    const rows = Array.from({ length: 1201 }, () => row());
    await Promise.all(rows.map((each) => writer.record(each)));
    expect(
      statements.mock.calls.map(([{ values }]) => (JSON.parse(values[0] as string) as []).length),
    ).toEqual([1, 500, 500, 200]);
  });

  it('does not let one row that is refused take its neighbours with it', async () => {
    const { writer } = bundle();
    const rows = Array.from({ length: 6 }, () => row());
    const poison = [
      row({ apiPath: '/v1/reviews/Concrete?query' }),
      row({ proof: proofs.alice.replace(/.$/, 'x') }),
    ];
    const all = [rows[0]!, rows[1]!, poison[0]!, rows[2]!, poison[1]!, ...rows.slice(3)];
    const outcomes = await Promise.allSettled(all.map((each) => writer.record(each)));
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
      all.map((each) => poison.includes(each)),
    );
    expect(await listWritten(all)).toEqual(rows.map(({ auditEventId }) => auditEventId));
  });

  it('writes the rows around a few that are refused by few statements, those of other tenants by one', async () => {
    const { writer, statements } = bundle();
    const theirs = { proof: proofs.mallory, externalOrgId: organizationOf('mallory') };
    const refused = { ...theirs, externalUserId: 'somebody-else' };
    const all = Array.from({ length: 257 }, (_, n) =>
      row(n % 64 === 63 ? refused : n % 2 === 1 ? theirs : {}),
    );
    const outcomes = await Promise.allSettled(all.map((each) => writer.record(each)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect(await listWritten(all)).toHaveLength(253);
    // The first row alone, then halves of 256 rows: at most two statements a refused row and a halving.
    expect(statements.mock.calls.length).toBeLessThan(2 + 4 * 2 * 8);
    const groups = statements.mock.calls.map(([{ values }]) => JSON.parse(values[0] as string) as AuditRow[]);
    const mine = groups
      .filter((group) => group.every(({ proof }) => proof === proofs.alice))
      .map(({ length }) => length);
    expect(mine.sort((one, other) => other - one)[0]).toBeGreaterThanOrEqual(128);
  });

  it('answers SERVICE_UNAVAILABLE to each request that it cannot write, and works on', async () => {
    const { writer, statements } = bundle();
    statements.mockRejectedValueOnce(new Error('connection lost'));
    await expect(writer.record(row())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    await expect(writer.record(row())).resolves.toBeUndefined();
  });

  it('never reveals the cause to a caller', async () => {
    const { writer, statements } = bundle();
    statements.mockRejectedValueOnce(new Error('secret cause'));
    await expect(writer.record(row())).rejects.not.toThrow('secret');
  });

  it("takes a row's tenant and user only from the proof of its caller", async () => {
    const { writer } = bundle();
    const forged = { tenantId: TEST_TENANTS.globex.tenantId, erunUserId: TEST_USERS.mallory.userId };
    const one = Object.assign(row(), forged);
    await writer.record(one);
    const [kept] = await trail.query(
      'SELECT tenant_id, erun_user_id FROM audit.audit_events WHERE audit_event_id = $1',
      [one.auditEventId],
    );
    expect(kept).toEqual({ tenant_id: TEST_TENANTS.acme.tenantId, erun_user_id: TEST_USERS.alice.userId });
  });

  it.each([
    ['no proof', { proof: '' }],
    ['a proof of no one', { proof: 'x'.repeat(211) }],
    ['another subject than the proof', { externalUserId: 'somebody-else' }],
    ['another issuer than the proof', { externalIssuerId: 'https://other.example' }],
    ['an organisation that the token did not name', { externalOrgId: 'org-globex' }],
  ])('refuses a row with %s', async (_, given) => {
    const { writer } = bundle();
    const one = row(given);
    await expect(writer.record(one)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await listWritten([one])).toEqual([]);
  });

  it('can add to the trail and do nothing else to it', async () => {
    for (const statement of [
      'UPDATE audit.audit_events SET type = type',
      'DELETE FROM audit.audit_events',
      'TRUNCATE audit.audit_events',
      'SELECT * FROM audit.audit_events',
      'INSERT INTO audit.audit_events SELECT * FROM audit.audit_events',
    ]) {
      await expect(database.run({ name: '', text: statement, values: [] })).rejects.toThrow(
        'permission denied',
      );
    }
  });
});
