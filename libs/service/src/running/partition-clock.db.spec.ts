import { LOGIN_ROLES } from '@plat/database';
import { createTestDatabase } from '@plat/testing';
import { readConfig, ServiceConfig } from '../configuration/config';
import { createLog } from '../log/log';
import { monthsAhead, PartitionClock } from './partition-clock';
import { openServiceContext } from './service-context';

describe.each(['audit', 'builds'] as const)('the clockwork of %s', (service) => {
  const table = { audit: 'audit.audit_events', builds: 'builds.builds' }[service];

  it('makes the partitions that are missing when it starts', async () => {
    const database = await createTestDatabase();
    const count = async () =>
      (await database.query('SELECT FROM pg_inherits WHERE inhparent = $1::regclass', [table])).length;
    const whole = await count();
    const [last] = await database.query<{ name: string }>(
      `SELECT max(inhrelid::regclass::text) AS name FROM pg_inherits
        WHERE inhparent = $1::regclass AND inhrelid::regclass::text ~ '\\d$'`,
      [table],
    );
    await database.query(`ALTER TABLE ${table} DETACH PARTITION ${last!.name}`);
    await database.query(`DROP TABLE ${last!.name}`);
    const config = readConfig(ServiceConfig, { DATABASE_URL: database.url(LOGIN_ROLES[service]) });
    const context = await openServiceContext(service, config, createLog('spec', 'silent'));
    const clock = new PartitionClock(context, service);
    clock.onApplicationBootstrap();
    await clock.onModuleDestroy();
    expect(await count()).toBe(whole);
    expect(context.partitions?.()).toEqual([{ labels: { table }, value: 11 }]);
    await context.close();
    await database.drop();
  });
});

describe('the months ahead', () => {
  const until = new Date('2027-01-01T00:00:00Z');
  it.each([
    ['2026-02-01T00:00:00Z', 10],
    ['2026-11-30T23:59:59.999Z', 1],
    ['2026-12-31T23:59:59.999Z', 0],
    ['2027-01-01T00:00:00Z', -1],
  ])('at %s are %i until 2027', (now, months) => {
    expect(monthsAhead(until, new Date(now))).toBe(months);
  });
});
