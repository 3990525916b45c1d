/**
 * @peers nginx
 * @paths libs/database libs/service/src libs/testing/src/deployment apps/e2e/src/failover deploy/edge
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '@plat/database';
import { workspaceRoot } from '@plat/local';
import {
  buildPrograms,
  claimsOf,
  deployedEnvironment,
  deployedUrl,
  Deployment,
  type Judgement,
  judgeTraffic,
  NOTHING_AMISS,
  prepareDatabase,
  type Programs,
  ReplicatedDatabase,
  TokenIssuer,
  Traffic,
} from '@plat/testing';

const BUILD_MS = 300_000;
const FAILOVER_MS = 180_000;
const CLIENTS = 6;
/** Good answers before the fault, while the replica gets nothing, and after the failover. */
const ANSWERS = 300;
/** How long the replica gets nothing, if no commit can be acknowledged meanwhile, in milliseconds. */
const LAG_MS = 1_000;

let programs: Programs;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-failover-'));
  programs = await buildPrograms(workspaceRoot(), join(folder, 'programs'));
}, BUILD_MS);
afterAll(() => rm(folder, { recursive: true }));

/** The five services over a primary with a replica. */
class FailoverStand {
  private constructor(
    private readonly folder: string,
    private readonly issuer: TokenIssuer,
    readonly database: ReplicatedDatabase,
    readonly deployment: Deployment,
    readonly traffic: Traffic,
  ) {}

  static async set(synchronous: boolean): Promise<FailoverStand> {
    const own = await mkdtemp(join(folder, 'stand-'));
    const issuer = await TokenIssuer.start();
    const prepare = (ownerUrl: string) => prepareDatabase(ownerUrl, issuer.url, migrate);
    const database = await ReplicatedDatabase.start({ folder: own, synchronous, prepare });
    const { port } = database.address;
    const variables = await deployedEnvironment(own, (service) => deployedUrl(service, port));
    const deployment = await Deployment.start({
      folder: own,
      programs,
      replicas: 2,
      environment: (service) => variables[service],
    });
    const traffic = new Traffic(deployment.url, () => issuer.token(claimsOf('alice')), CLIENTS);
    await traffic.more(ANSWERS);
    return new FailoverStand(own, issuer, database, deployment, traffic);
  }

  /** Loses the primary and promotes the replica. The address leads there too early, as it may. @returns when */
  async failOver(): Promise<number> {
    const { database, traffic } = this;
    const lostAtMs = traffic.nowMs;
    await database.losePrimary();
    database.leadToReplica();
    await this.waitForRefusals(ANSWERS / 10);
    await database.promote();
    await traffic.more(ANSWERS);
    return lostAtMs;
  }

  /** The longest time without a good answer after a moment of the traffic, in seconds. */
  outage(fromMs: number): string {
    const after = this.traffic.answered.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs);
    const gaps = after.map((atMs, place) => atMs - (after[place - 1] ?? fromMs));
    return (Math.max(...gaps) / 1000).toFixed(1);
  }

  async strike(): Promise<void> {
    await this.deployment.stop();
    await Promise.all([this.issuer.stop(), this.database.stop()]);
    await rm(this.folder, { recursive: true });
  }

  /** Resolves when so many more requests have been refused. */
  private async waitForRefusals(count: number): Promise<void> {
    const wanted = this.traffic.failed.length + count;
    while (this.traffic.failed.length < wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe.each([
  ['synchronous replication', true],
  ['asynchronous replication', false],
])('a failover under load, with %s', (name, synchronous) => {
  let stand: FailoverStand;
  let cutAtMs: number;
  let judgement: Judgement;
  beforeAll(async () => {
    stand = await FailoverStand.set(synchronous);
    const { database, traffic } = stand;
    cutAtMs = traffic.nowMs;
    database.cutReplication();
    // Without an answer of the replica, synchronous replication acknowledges nothing more.
    if (synchronous) await new Promise((resolve) => setTimeout(resolve, LAG_MS));
    else await traffic.more(ANSWERS);
    const lostAtMs = await stand.failOver();
    await traffic.stop();
    judgement = await judgeTraffic(database.ownerUrl, traffic);
    process.stderr.write(
      report({ name, cutAtMs, lostAtMs, outage: stand.outage(lostAtMs), traffic, judgement }),
    );
  }, FAILOVER_MS);
  afterAll(() => stand?.strike());

  if (synchronous) {
    it('has everything that was acknowledged, and each answered request has its audit row', () => {
      expect(judgement).toEqual(NOTHING_AMISS);
    });
  } else {
    it('has everything that was acknowledged before the replica was cut off, and breaks no invariant', () => {
      const late = new Set(
        [...stand.traffic.acknowledged, ...stand.traffic.answered]
          .filter(({ atMs }) => atMs > cutAtMs)
          .map(({ id }) => id),
      );
      const early = (ids: string[]) => ids.filter((id) => !late.has(id));
      const { lost, unaudited, broken, auditedTwice } = judgement;
      expect({ lost: early(lost), unaudited: early(unaudited), broken, auditedTwice }).toEqual(NOTHING_AMISS);
    });

    it('lacks what was acknowledged since, which asynchronous replication promises to no one', () => {
      expect(judgement.lost.length).toBeGreaterThan(0);
      expect(judgement.unaudited.length).toBeGreaterThan(0);
    });
  }

  it('answers 503 or not at all meanwhile, and the services recover without a restart', () => {
    // A review that is lost is not found by its next request.
    const codes = new Set(stand.traffic.failed.map(({ status, code }) => `${status} ${code}`));
    const expected = ['503 SERVICE_UNAVAILABLE', '404 NOT_FOUND', 'undefined ECONNRESET'];
    expect([...codes].filter((code) => !expected.includes(code))).toEqual([]);
    expect(stand.deployment.kills).toBe(0);
  });

  it(
    'writes nothing to the former primary when that starts again',
    async () => {
      const url = await stand.database.restartFormerPrimary();
      const former = new Client({ connectionString: url });
      await former.connect();
      const position = async () =>
        (await former.query<{ wal: string }>('SELECT max(created_at) AS wal FROM audit.audit_events'))
          .rows[0];
      const before = await position();
      for (let request = 0; request < ANSWERS / 10; request++) {
        for (const { url: replica } of stand.deployment.processes('platform')) {
          await fetch(`${replica}/readyz`);
        }
        await fetch(`${stand.deployment.url}/v1/whoami`);
      }
      const { rows } = await former.query("SELECT FROM pg_stat_activity WHERE usename LIKE 'plat\\_%'");
      expect(rows).toEqual([]);
      expect(await position()).toEqual(before);
      await former.end();
    },
    FAILOVER_MS,
  );
});

interface Reported {
  name: string;
  cutAtMs: number;
  lostAtMs: number;
  outage: string;
  traffic: Traffic;
  judgement: Judgement;
}

function report({ name, cutAtMs, lostAtMs, outage, traffic, judgement }: Reported): string {
  const { acknowledged, answered, failed } = traffic;
  const since = acknowledged.filter(({ atMs }) => atMs > cutAtMs && atMs < lostAtMs).length;
  const codes = failed.map(({ status, code }) => `${status ?? 'no answer'} ${code}`);
  const counted = [...new Set(codes)].map(
    (code) => `${codes.filter((each) => each === code).length} ${code}`,
  );
  return (
    `${name}: ${answered.length} requests answered, ${failed.length} not (${counted.join(', ')}); ` +
    `${outage} s without an answer; of ${acknowledged.length} acknowledged rows, ${since} of them in the last ` +
    `${((lostAtMs - cutAtMs) / 1000).toFixed(1)} s without replication, ${judgement.lost.length} are lost, and ` +
    `${judgement.unaudited.length} audit rows\n`
  );
}
