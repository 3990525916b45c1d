import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { FairSlots, TimeTaken } from '@plat/fair-slots';
import {
  addressOf,
  type ConnectionOptions,
  createDataSource,
  createPipeline,
  DEADLINES,
} from '../connections/connection';
import { Connections } from '../connections/connections';
import { ASK_READ_ONLY, awaitInTime, DatabaseSilent, expectWritable } from '../connections/deadline-client';
import type { Pipeline } from '../connections/pipeline';
import { isReadOnly, refusalOf, unavailableOf } from '../connections/refusal';
import { doOnce } from './do-once';
import { findRoleFaults } from './role-check';
import type { KeyedScope, TenantScope } from './scope';
import { type SqlCall, statementOf } from './sql-call';
import { startFault } from './start-check';
import { functionIn, tracedSql, withTracedQueries } from './traced-sql';

/** How long an answer counts as proof that the database is there, in milliseconds. */
const FRESH_MS = 2_000;

/** Longest time that a page waits for a tenant's page before it, in milliseconds. */
const PAGE_WAIT_MS = 30_000;
/** How long a tenant that reads more than an equal part pauses after a page, in multiples of the page's time. */
const PAGE_PAUSE = 3;
/** Two, so that one slow read delays at most half of the others. */
const FIND_PIPELINES = 2;

/** A statement that is planned once for each connection, under its name. */
export interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
  /** The owner of the share of connections that it takes: a tenant's id, or a stand-in while the tenant is unknown. */
  share?: string;
}

/** The connections of a service, by use. */
interface Ways {
  dataSource: DataSource;
  pool: Connections;
  pipelines: readonly Pipeline[];
}

/** One service's access to the database. Every statement runs for one tenant, except those of `run`. */
export class Database {
  private readonly dataSource: DataSource;
  private readonly pool: Connections;
  private readonly pipelines: readonly Pipeline[];
  private readonly preparedStatements: boolean;
  /**
   * The time that each tenant's statements take, without the wait for a connection. Statements for no tenant, such as
   * those of the trail, do not count: a tenant must count as alone if no other one asks.
   */
  private readonly time = new TimeTaken();
  private readonly pages: FairSlots;
  private readonly pingMs: number;
  private readonly onReadOnly: () => void;

  private constructor(
    { dataSource, pool, pipelines }: Ways,
    { preparedStatements, poolSizeMax, onReadOnly, deadlines = DEADLINES }: ConnectionOptions,
  ) {
    this.onReadOnly = onReadOnly ?? (() => this.distrust());
    this.dataSource = dataSource;
    this.pool = pool;
    this.pipelines = pipelines;
    this.preparedStatements = preparedStatements;
    this.pingMs = deadlines.pingMs;
    this.pages = new FairSlots({
      total: Infinity,
      each: poolSizeMax,
      eachBeside: 1,
      pause: PAGE_PAUSE,
      time: this.time,
      waitMs: PAGE_WAIT_MS,
    });
  }

  /**
   * Connects. Refuses a login that row-level security does not confine or that belongs to another service, and a schema
   * that this release does not support.
   *
   * @throws Error naming the rights that the login must not have, or what the schema lacks
   */
  static async connect(options: ConnectionOptions): Promise<Database> {
    const address = addressOf(options);
    const dataSource = createDataSource(options, address);
    await dataSource.initialize();
    const faults = await findRoleFaults(dataSource);
    if (faults.length > 0) {
      await dataSource.destroy();
      throw new Error(`the database login could bypass row-level security: ${faults.join('; ')}`);
    }
    const fault = await startFault(dataSource, options.login);
    if (fault !== undefined) {
      await dataSource.destroy();
      throw new Error(fault);
    }
    const pipelines = Array.from({ length: FIND_PIPELINES }, () => createPipeline(options, address));
    const pool = new Connections(poolOf(dataSource), { sizeMax: options.poolSizeMax, address });
    return new Database({ dataSource, pool, pipelines }, options);
  }

  /**
   * Calls a SQL function for a tenant, in one statement and hence one transaction.
   *
   * @throws ApiError for a refusal of the function
   */
  async call<Row>(scope: TenantScope, call: SqlCall): Promise<Row[]> {
    const { tenantId } = scope;
    const statement = this.statement(scope, call);
    return tracedSql(call.name, () =>
      this.rowsOf(tenantId, (client) => this.measure(tenantId, () => client.query(statement))),
    );
  }

  /**
   * Like `call`, for a page of a listing, which is many times the work of a row. While other tenants' statements run,
   * each tenant reads one page at a time, and pauses after it if the tenant takes more than an equal part of the time.
   *
   * @throws ApiError for a refusal of the function
   */
  async page<Row>(scope: TenantScope, call: SqlCall): Promise<Row[]> {
    return this.pages.run(scope.tenantId, () => this.call(scope, call));
  }

  /**
   * Like `call`, for a function that finds a row by its key. Such calls share connections, so the function must be short
   * and must not lock.
   *
   * @throws ApiError for a refusal of the function
   */
  async find<Row>(scope: TenantScope, call: SqlCall): Promise<Row[]> {
    const pipeline = this.pipelines.reduce((one, other) => (other.load < one.load ? other : one));
    const statement = this.statement(scope, call);
    const answered = tracedSql(call.name, () =>
      this.measure(scope.tenantId, () => pipeline.query<Row>(statement)),
    );
    return this.translateRefusal(
      answered.catch((error: unknown) => {
        if (isReadOnly(error)) throw error;
        throw error instanceof DatabaseSilent ? unavailableOf(error) : error;
      }),
    );
  }

  /** Runs a statement for no tenant: a published function of identity or audit. */
  async run<Row>({ share = '', ...statement }: NamedStatement): Promise<Row[]> {
    return tracedSql(functionIn(statement.text) ?? statement.name, () =>
      this.rowsOf(share, (client) => client.query(this.prepared(statement))),
    );
  }

  /**
   * Runs several statements in one transaction for a tenant, on one connection.
   *
   * @throws ApiError for a refusal of a function that the work calls
   */
  transaction<T>(scope: TenantScope, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const transaction = async (tx: EntityManager) => {
      await tx.query('SELECT tenancy.enter_as($1, $2)', [scope.proof, scope.acrossTenants]);
      return work(withTracedQueries(tx));
    };
    const { tenantId } = scope;
    const measure = () => this.measure(tenantId, () => this.dataSource.transaction(transaction));
    return tracedSql('transaction', () => this.translateRefusal(this.pool.share(tenantId, measure)));
  }

  /**
   * Like `call`, for a function that creates something. If the scope has a key, the rows are those of the first request
   * with it.
   *
   * @throws ApiError for a refusal of the function; IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
   */
  create<Row>(scope: KeyedScope, call: SqlCall): Promise<Row[]> {
    if (!scope.key) return this.call(scope, call);
    return this.createIn(scope, (tx) => tx.query<Row[]>(statementOf(call), valuesOf(scope, call)));
  }

  /**
   * Like `transaction`, for work that creates something. If the scope has a key, the result is that of the first request
   * with it, so it must be JSON.
   *
   * @throws ApiError for a refusal of a function that the work calls; IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
   */
  createIn<T>(scope: KeyedScope, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { key, tenantId } = scope;
    return this.transaction(scope, (tx) => (key ? doOnce(tx, { tenantId, key }, work) : work(tx)));
  }

  /** Is called with the time in seconds for which each statement waited for a connection, except reads by key. */
  set onWaited(observe: (seconds: number) => void) {
    this.pool.onWaited = observe;
  }

  /** The present connections for requests, without those that reads by key share. */
  get connections(): { busy: number; idle: number; waiting: number } {
    return this.pool.load;
  }

  /**
   * Checks that the database answers on each kind of connection and takes writes. A kind that answered a moment ago is not
   * asked.
   *
   * @throws Error if it does not answer within a deadline, or takes no writes
   */
  async ping(): Promise<void> {
    const kinds = [
      {
        lastAnswerAt: this.pool.lastAnswerAt,
        ask: async () => {
          const { rows } = await this.pool.use('', (client) => client.query<object>(ASK_READ_ONLY));
          return rows;
        },
      },
      ...this.pipelines
        .filter(({ isOpen }) => isOpen)
        .map((pipeline) => ({
          lastAnswerAt: pipeline.lastAnswerAt,
          ask: () => pipeline.query<object>(ASK_READ_ONLY),
        })),
    ];
    const silent = kinds.filter(({ lastAnswerAt }) => Date.now() - lastAnswerAt > FRESH_MS);
    const asked = silent.map(async ({ ask }) => expectWritable(await awaitInTime(ask(), this.pingMs)));
    await this.translateRefusal(Promise.all(asked));
  }

  /** Gives up the connections that no statement uses, and those that reads by key share. */
  distrust(): void {
    this.pool.doubt();
    for (const pipeline of this.pipelines) pipeline.drop();
  }

  async close(): Promise<void> {
    await Promise.all(this.pipelines.map((pipeline) => pipeline.close()));
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async rowsOf<Row>(
    share: string,
    work: (client: PoolClient) => Promise<QueryResult<Row & object>>,
  ): Promise<Row[]> {
    const { rows } = await this.translateRefusal(this.pool.use(share, work));
    return rows;
  }

  /** Waits for an answer, and turns a function's refusal into the registry's error. */
  private async translateRefusal<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isReadOnly(error)) this.onReadOnly();
      throw refusalOf(error) ?? error;
    }
  }

  private async measure<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    try {
      return await work();
    } finally {
      this.time.add(tenantId, performance.now() - since);
    }
  }

  private statement(scope: TenantScope, call: SqlCall): QueryConfig {
    return this.prepared({ name: call.name, text: statementOf(call), values: valuesOf(scope, call) });
  }

  private prepared({ name, text, values }: NamedStatement): QueryConfig {
    return this.preparedStatements ? { name, text, values } : { text, values };
  }
}

/** TypeORM's own pool, from which statements outside its mapping take their connection too. */
const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;

const valuesOf = ({ proof, acrossTenants }: TenantScope, { args }: SqlCall): unknown[] => [
  proof,
  acrossTenants,
  ...args,
];
