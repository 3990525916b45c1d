import { randomUUID } from 'node:crypto';
import { newId } from '@plat/contracts/core';
import { Database, LOGIN_ROLES, type TenantScope } from '@plat/database';
import { claimsOf, Random, TEST_TENANTS, TEST_USERS } from '@plat/testing';
import type { Operation, Thread } from './history';
import type { SeenStatus } from './statuses';

export interface WorldOptions {
  /** The connection URL of a role, to a database with the test directory. */
  loginUrl(role: string): string;
  seed: number;
  /** Connections of each service. */
  connections: number;
}

export interface LiveReview {
  reviewId: string;
  repository: string | null;
  targetBranch: string;
}

/** The values that a MERGED report read before it asked git. */
export interface MergeCase {
  repository: string | null;
  anchor_commit_id: string | null;
}

/** Two targets, so that each of a few queues is busy. */
export const TARGETS = ['main', 'release'] as const;
/** Two repositories, and reviews without one. */
export const REPOSITORIES = ['https://git.example/acme/one', 'https://git.example/acme/two', null] as const;

/** The claims of alice's token. */
const CALLER = {
  externalIssuerId: 'https://issuer.example',
  externalUserId: claimsOf('alice').sub,
  externalOrgId: claimsOf('alice').org,
};

/** The proof with which statements run as alice, obtained as a service obtains it. */
async function proofOf(database: Database): Promise<string> {
  const { externalIssuerId, externalUserId, externalOrgId } = CALLER;
  const [row] = await database.run<{ proof: string }>({
    name: 'resolve_caller',
    text: 'SELECT proof FROM identity.resolve_caller($1, $2, $3)',
    values: [externalIssuerId, externalUserId, externalOrgId],
  });
  return row!.proof;
}

/** One tenant's few busy queues, the services' own database connections, and all requests and answers so far. */
export class World {
  readonly operations: Operation[] = [];
  readonly threads: Thread[] = [];
  readonly statuses: SeenStatus[] = [];
  /** Commits for which a release was requested. */
  readonly commits: string[] = [];
  readonly live: LiveReview[] = [];
  /** The promoted reviews, the latest last, which later requests may merge, requeue or fail. */
  readonly promoted: LiveReview[] = [];
  /** The case of the last MERGED report of each review, so that a slow report can use outdated values. */
  readonly cases = new Map<string, MergeCase>();
  /** Errors during the run, in words. */
  readonly faults: string[] = [];

  private constructor(
    readonly reviews: Database,
    readonly builds: Database,
    readonly releases: Database,
    readonly random: Random,
    readonly scope: TenantScope,
  ) {}

  static async open({ loginUrl, seed, connections }: WorldOptions): Promise<World> {
    const connect = (role: string) =>
      Database.connect({
        url: loginUrl(role),
        applicationName: 'interleavings',
        poolSizeMax: connections,
        preparedStatements: true,
      });
    const roles = [LOGIN_ROLES.reviews, LOGIN_ROLES.builds, LOGIN_ROLES.releases] as const;
    const [reviews, builds, releases] = await Promise.all([
      connect(roles[0]),
      connect(roles[1]),
      connect(roles[2]),
    ]);
    const proof = await proofOf(reviews);
    const scope = { tenantId: TEST_TENANTS.acme.tenantId, userId: TEST_USERS.alice.userId, proof };
    return new World(reviews, builds, releases, new Random(seed), { ...scope, acrossTenants: false });
  }

  /** One of the reviews that were created last. */
  someReview(): LiveReview | undefined {
    const recent = this.live.slice(-12);
    return recent.length === 0 ? undefined : this.random.pick(recent);
  }

  /** One of the reviews that were promoted last, or any other. */
  somePromoted(): LiveReview | undefined {
    return this.promoted.length > 0 && this.random.chance(0.7)
      ? this.random.pick(this.promoted.slice(-3))
      : this.someReview();
  }

  /** Writes the audit row of a request before the request does anything else. */
  async audit(requestId: string): Promise<void> {
    const row = {
      proof: this.scope.proof,
      auditEventId: newId(),
      requestId,
      ...CALLER,
      type: 'API',
      apiMethod: 'POST',
      apiPath: '/v1/reviews',
    };
    await this.reviews.run({
      name: 'audit_record',
      text: 'SELECT audit.record_requests($1)',
      values: [JSON.stringify([row])],
    });
  }

  /** A new full commit id. */
  newCommit(): string {
    return (randomUUID() + randomUUID()).replaceAll('-', '').slice(0, 40);
  }

  async close(): Promise<void> {
    await Promise.all([this.reviews.close(), this.builds.close(), this.releases.close()]);
  }
}
