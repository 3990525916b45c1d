import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { DatabaseAddress } from './database-address';
import { Pipeline } from './pipeline';

describe('a connection on which statements follow each other', () => {
  let test: TestDatabase;
  const open: Pipeline[] = [];
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(async () => {
    await Promise.all(open.map((pipeline) => pipeline.close()));
    await test.drop();
  });

  function create(name: string): Pipeline {
    const pipeline = new Pipeline({
      address: new DatabaseAddress({ url: test.url('plat_reviews') }),
      application_name: name,
      deadlineMs: 20_000,
    });
    open.push(pipeline);
    return pipeline;
  }
  const tenant = (id: string) => ({
    text: `SELECT nullif(current_setting('plat.proof', true), '') AS before, $1::uuid AS id,
                  set_config('plat.proof', $1::text, true)`,
    values: [id],
    name: 'enter',
  });
  const ids = Array.from({ length: 20 }, (_, n) => `00000000-0000-7000-8000-0000000000${10 + n}`);

  it('gives each statement a transaction of its own: none sees the tenant of the one before', async () => {
    const pipeline = create('spec_tenants');
    const rows = await Promise.all(
      ids.map((id) => pipeline.query<{ before: string; id: string }>(tenant(id))),
    );
    expect(rows.flat().map(({ id }) => id)).toEqual(ids);
    expect(rows.flat().filter(({ before }) => before)).toEqual([]);
  });

  it('fails the statement that fails, and no other', async () => {
    const pipeline = create('spec_failure');
    const outcomes = await Promise.allSettled(
      ['1', '0', '2'].map((divisor) =>
        pipeline.query({ text: 'SELECT 10 / $1::int AS ratio', values: [divisor], name: 'ratio' }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(pipeline.load).toBe(0);
  });

  it('connects again after its connection was cut', async () => {
    const pipeline = create('spec_cut');
    const pid = { text: 'SELECT pg_backend_pid() AS pid, pg_sleep($1)' };
    const cut = pipeline.query({ ...pid, values: [30] });
    const [before] = await terminateSleep(test, 'spec_cut');
    await expect(cut).rejects.toThrow();
    const [after] = await pipeline.query<{ pid: number }>({ ...pid, values: [0] });
    expect(after?.pid).not.toBe(before);
  });
});

/** Waits until a connection of that name runs its pg_sleep, and cuts it. @returns the process ids */
async function terminateSleep(test: TestDatabase, name: string): Promise<number[]> {
  for (;;) {
    const rows = await test.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'PgSleep'`,
      [name],
    );
    if (rows.length > 0) return rows.map(({ pid }) => pid);
  }
}
