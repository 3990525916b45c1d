import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Pool, type QueryResultRow } from 'pg';
import { newId } from '@plat/contracts/core';
import { applyDirectory } from '@plat/database';
import { examineDatabase } from '@plat/invariants';
import { createTestDatabase, proveScope, TEST_USERS, type TestDatabase, testDirectory } from '@plat/testing';

let database: TestDatabase;
/** The releases service's login: a connection for each concurrent runner. */
let runners: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  runners = new Pool({ connectionString: database.url('plat_releases'), max: 8 });
});
afterAll(async () => {
  await runners.end();
  const broken = await examineDatabase(database.ownerUrl);
  await database.drop();
  expect(broken).toEqual([]);
});

interface Row extends QueryResultRow {
  release_id: string;
  status: string;
  attempt: number;
  version: string | null;
  build_id: string | null;
  failure_reason: string | null;
}

const NO_COOLDOWN = '0 seconds';

/** A tenant that no other case uses, and its line of releases as runners see it. */
class Line {
  private constructor(
    readonly tenantId: string,
    readonly proof: string,
  ) {}

  static async open(): Promise<Line> {
    const tenantId = randomUUID();
    await database.query(`INSERT INTO identity.tenants (tenant_id, name, kind) VALUES ($1, $2, 'company')`, [
      tenantId,
      `t-${tenantId}`,
    ]);
    const [row] = await database.query<{ proof: string }>(
      'SELECT identity.issue_proof($1, $2, identity.caller_digest(NULL, NULL, NULL)) AS proof',
      [tenantId, TEST_USERS.alice.userId],
    );
    return new Line(tenantId, row!.proof);
  }

  /** Calls one of the line's functions as its tenant, in a transaction of its own. */
  async call(name: string, ...args: unknown[]): Promise<Row[]> {
    const parameters = args.map((_, place) => `, $${place + 2}`).join('');
    const { rows } = await runners.query<Row>(
      `SELECT f.* FROM tenancy.enter_as($1, false) AS tenant CROSS JOIN LATERAL releases.${name}(tenant${parameters}) AS f`,
      [this.proof, ...args],
    );
    return rows;
  }

  /** Queues the release of a commit. @returns its id */
  async enqueue(commitId = randomBytes(20).toString('hex')): Promise<string> {
    const releaseId = randomUUID();
    await this.call('enqueue', releaseId, null, 'main', commitId);
    return releaseId;
  }

  async claim(cooldown = NO_COOLDOWN): Promise<Row | undefined> {
    return (await this.call('claim', cooldown))[0];
  }

  release({ release_id, attempt }: Row): Promise<Row[]> {
    return this.call('finish', release_id, attempt, '1.4.0', null, null);
  }

  fail({ release_id, attempt }: Row, reason = 'no disk'): Promise<Row[]> {
    return this.call('finish', release_id, attempt, null, null, reason);
  }

  async statuses(): Promise<Record<string, string>> {
    const rows = await database.query<Row>(
      'SELECT release_id, status FROM releases.releases WHERE tenant_id = $1',
      [this.tenantId],
    );
    return Object.fromEntries(rows.map(({ release_id, status }) => [release_id, status]));
  }
}

/** Sessions of this database that wait for a lock at this moment. */
async function countBlockedSessions(): Promise<number> {
  const [row] = await database.query<{ blocked: number }>(
    `SELECT count(*)::int AS blocked FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.blocked;
}

describe('releases.claim', () => {
  it("takes the tenant's oldest queued release: first in, first out", async () => {
    const line = await Line.open();
    const queued = [await line.enqueue(), await line.enqueue(), await line.enqueue()];
    const claimed: string[] = [];
    for (let next = await line.claim(); next; next = await line.claim()) {
      expect(next).toMatchObject({ status: 'running', attempt: 1 });
      claimed.push(next.release_id);
      await line.release(next);
    }
    expect(claimed).toEqual(queued);
  });

  it('answers no row when nothing is queued', async () => {
    expect(await (await Line.open()).claim()).toBeUndefined();
  });

  it('answers no row while one is running, and nothing changes', async () => {
    const line = await Line.open();
    const [first, second] = [await line.enqueue(), await line.enqueue()];
    await line.claim();
    expect(await line.claim()).toBeUndefined();
    expect(await line.statuses()).toEqual({ [first]: 'running', [second]: 'queued' });
  });

  it('answers no row until the cooldown since the last finished one has passed', async () => {
    const line = await Line.open();
    await line.enqueue();
    const second = await line.enqueue();
    await line.release((await line.claim())!);
    expect(await line.claim('60 seconds')).toBeUndefined();
    await database.query(
      `UPDATE releases.lines SET last_finished_at = last_finished_at - interval '61 seconds' WHERE tenant_id = $1`,
      [line.tenantId],
    );
    expect(await line.claim('60 seconds')).toMatchObject({ release_id: second });
  });

  it('the cooldown is 60 s by default, also after a failed release', async () => {
    const line = await Line.open();
    const releaseId = await line.enqueue('d'.repeat(40));
    await line.fail((await line.claim())!);
    await line.enqueue('d'.repeat(40));
    const shift = (seconds: number): Promise<unknown> =>
      database.query(
        `UPDATE releases.lines SET last_finished_at = clock_timestamp() - make_interval(secs => $2) WHERE tenant_id = $1`,
        [line.tenantId, seconds],
      );
    await shift(50);
    expect(await line.call('claim')).toEqual([]);
    await shift(60);
    expect(await line.call('claim')).toMatchObject([{ release_id: releaseId, attempt: 2 }]);
  });

  it('a failed release that is queued again keeps its place in the line', async () => {
    const line = await Line.open();
    const first = await line.enqueue('e'.repeat(40));
    await line.enqueue();
    await line.fail((await line.claim())!);
    await line.enqueue('e'.repeat(40));
    expect(await line.claim()).toMatchObject({ release_id: first, attempt: 2 });
  });

  it('tenants do not wait for each other', async () => {
    const [one, other] = [await Line.open(), await Line.open()];
    await one.enqueue();
    await other.enqueue();
    expect(await one.claim()).toBeDefined();
    expect(await other.claim()).toBeDefined();
  });

  it('of concurrent claimers one wins and the others are answered no row, round after round', async () => {
    const line = await Line.open();
    const queued: string[] = [];
    for (let n = 0; n < 25; n++) queued.push(await line.enqueue());
    const claimed: string[] = [];
    for (const _ of queued) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => line.claim()));
      const winners = answers.filter((row) => row !== undefined);
      expect(winners).toHaveLength(1);
      claimed.push(winners[0]!.release_id);
      await line.release(winners[0]!);
    }
    expect(claimed).toEqual(queued);
  });

  it('while releases are queued and finished at the same time, one runs at most and none is passed over', async () => {
    const line = await Line.open();
    const claimed: string[] = [];
    let waiting = 40;
    const queue = async (): Promise<void> => {
      for (let n = 0; n < 10; n++) await line.enqueue();
    };
    const run = async (): Promise<void> => {
      while (waiting > 0) {
        const mine = await line.claim();
        if (!mine) continue;
        claimed.push(mine.release_id);
        waiting -= 1;
        expect(await line.release(mine)).toHaveLength(1);
      }
    };
    await Promise.all([queue(), queue(), queue(), queue(), run(), run(), run()]);
    const inOrder = await database.query<Row>(
      'SELECT release_id FROM releases.releases WHERE tenant_id = $1 ORDER BY queue_sequence',
      [line.tenantId],
    );
    expect(claimed).toEqual(inOrder.map(({ release_id }) => release_id));
  });

  it('a claim waits for the open transaction of an earlier release, and takes no later one before it', async () => {
    const line = await Line.open();
    const slow = new Client({ connectionString: database.url('plat_releases') });
    await slow.connect();
    try {
      const earlier = randomUUID();
      await slow.query('BEGIN');
      await slow.query('SELECT tenancy.enter_as($1, false)', [line.proof]);
      await slow.query('SELECT releases.enqueue($1, $2, NULL, $3, $4)', [
        line.tenantId,
        earlier,
        'main',
        'f'.repeat(40),
      ]);
      let settled = false;
      const later = line.enqueue();
      const claim = line.claim().finally(() => (settled = true));
      while (!settled && (await countBlockedSessions()) < 2);
      await slow.query('COMMIT');
      await later;
      expect(await claim).toMatchObject({ release_id: earlier });
    } finally {
      await slow.end();
    }
  });
});

describe('releases.finish', () => {
  it('released carries the version, and the build where there is one', async () => {
    const line = await Line.open();
    await line.enqueue();
    const running = (await line.claim())!;
    const buildId = newId();
    await database.query(
      `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                                  version)
       VALUES ($1, $2, $2, 'e', 'RECORDED', true, $3, '1.4.0')`,
      [line.tenantId, buildId, 'a'.repeat(40)],
    );
    expect(
      await line.call('finish', running.release_id, running.attempt, '1.4.0', buildId, null),
    ).toMatchObject([{ status: 'released', version: '1.4.0', build_id: buildId, failure_reason: null }]);
  });

  it('failed carries the reason', async () => {
    const line = await Line.open();
    await line.enqueue();
    expect(await line.fail((await line.claim())!, 'exit 1: no disk')).toMatchObject([
      { status: 'failed', version: null, failure_reason: 'exit 1: no disk' },
    ]);
  });

  it.each([
    ['neither a version nor a reason', null, null],
    ['both a version and a reason', '1.4.0', 'no disk'],
    ['a version that fails the grammar', 'v1', null],
  ])('%s is refused, and the release goes on running', async (_, version, reason) => {
    const line = await Line.open();
    const releaseId = await line.enqueue();
    const { attempt } = (await line.claim())!;
    await expect(line.call('finish', releaseId, attempt, version, null, reason)).rejects.toThrow(
      'violates check constraint',
    );
    expect(await line.statuses()).toEqual({ [releaseId]: 'running' });
  });

  it('a release that is not running stays unchanged, and no row is answered', async () => {
    const line = await Line.open();
    const releaseId = await line.enqueue();
    expect(await line.call('finish', releaseId, 1, '1.4.0', null, null)).toEqual([]);
    const running = (await line.claim())!;
    await line.release(running);
    expect(await line.fail(running)).toEqual([]);
    expect(await line.statuses()).toEqual({ [releaseId]: 'released' });
  });

  it("a runner that was taken to be lost cannot finish another runner's attempt", async () => {
    const line = await Line.open();
    const releaseId = await line.enqueue('c'.repeat(40));
    const lost = (await line.claim())!;
    await line.call('fail_stale', NO_COOLDOWN);
    await line.enqueue('c'.repeat(40));
    const other = (await line.claim())!;
    expect(await line.release(lost)).toEqual([]);
    expect(await line.statuses()).toEqual({ [releaseId]: 'running' });
    expect(await line.release(other)).toHaveLength(1);
  });

  it('of concurrent reports of one attempt, one counts', async () => {
    const line = await Line.open();
    await line.enqueue();
    const running = (await line.claim())!;
    const answers = await Promise.all([line.release(running), line.fail(running), line.release(running)]);
    expect(answers.map((rows) => rows.length).sort()).toEqual([0, 0, 1]);
  });
});

describe('releases.fail_stale', () => {
  const age = (line: Line, hours: number): Promise<unknown> =>
    database.query(
      `UPDATE releases.releases SET started_at = clock_timestamp() - make_interval(hours => $2)
        WHERE tenant_id = $1 AND status = 'running'`,
      [line.tenantId, hours],
    );

  it('a running release fails with a reason after 4 h, and the line goes on', async () => {
    const line = await Line.open();
    const [first, second] = [await line.enqueue(), await line.enqueue()];
    await line.claim();
    await age(line, 3);
    expect(await line.call('fail_stale')).toEqual([]);
    await age(line, 4);
    const reason = 'The release was still running after 04:00:00 and is taken to be lost.';
    expect(await line.call('fail_stale')).toMatchObject([
      { release_id: first, status: 'failed', failure_reason: reason },
    ]);
    expect(await line.claim()).toMatchObject({ release_id: second });
  });

  it('a caller may give another time than 4 h', async () => {
    const line = await Line.open();
    await line.enqueue();
    await line.claim();
    await age(line, 1);
    expect(await line.call('fail_stale', '30 minutes')).toHaveLength(1);
  });

  it('changes no queued or released release, and none of another tenant', async () => {
    const [line, other] = [await Line.open(), await Line.open()];
    await other.enqueue();
    await other.claim();
    await age(other, 9);
    await line.enqueue();
    await line.release((await line.claim())!);
    const queued = await line.enqueue();
    const before = await line.statuses();
    expect(await line.call('fail_stale')).toEqual([]);
    expect(await line.statuses()).toEqual(before);
    expect(before[queued]).toBe('queued');
    expect(Object.values(await other.statuses())).toEqual(['running']);
  });
});

describe('the functions for runners', () => {
  const functions = [
    'releases.claim(uuid, interval)',
    'releases.finish(uuid, uuid, int, text, uuid, text)',
    'releases.fail_stale(uuid, interval)',
  ];
  it.each(functions)('%s may be executed by plat_releases only', async (name) => {
    const may = await database.query<{ role: string }>(
      `SELECT r.rolname AS role FROM pg_roles r
        WHERE r.rolname LIKE 'plat\\_%' AND NOT r.rolsuper AND has_function_privilege(r.oid, $1::regprocedure, 'EXECUTE')`,
      [name],
    );
    expect(may.map(({ role }) => role).sort()).toEqual(['plat_releases', 'plat_releases_owner']);
  });

  it("no one reaches another tenant's line by naming it", async () => {
    const line = await Line.open();
    const releaseId = await line.enqueue();
    const claim = runners.query(
      'SELECT f.* FROM tenancy.enter_as($1, false) CROSS JOIN LATERAL releases.claim($2) AS f',
      [(await proveScope(database, 'alice')).proof, line.tenantId],
    );
    await expect(claim).rejects.toThrow('row-level security');
    expect(await line.statuses()).toEqual({ [releaseId]: 'queued' });
  });
});
