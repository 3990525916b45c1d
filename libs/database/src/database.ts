import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { type ConnectionOptions, createDataSource } from './connection';
import { refusalOf } from './refusal';
import { confinedRoleFaults } from './role-check';
import type { TenantScope } from './scope';
import { type SqlCall, statementOf } from './sql-call';

/** One service's way to the database: every statement speaks for one tenant. */
export class Database {
  private constructor(
    private readonly dataSource: DataSource,
    private readonly preparedStatements: boolean,
  ) {}

  /**
   * Connects, and refuses a login that row-level security would not confine.
   *
   * @throws Error naming what the login may do and must not
   */
  static async connect(options: ConnectionOptions): Promise<Database> {
    const dataSource = createDataSource(options);
    await dataSource.initialize();
    const faults = await confinedRoleFaults(dataSource);
    if (faults.length > 0) {
      await dataSource.destroy();
      throw new Error(`the database login could bypass row-level security: ${faults.join('; ')}`);
    }
    return new Database(dataSource, options.preparedStatements);
  }

  /**
   * Calls a SQL function for a tenant, in one statement and hence one transaction.
   *
   * @throws ApiError for a refusal of the function
   */
  async call<Row>(scope: TenantScope, call: SqlCall): Promise<Row[]> {
    const values = [scope.tenantId, scope.userId, scope.acrossTenants, ...call.args];
    return this.run<Row>(statementOf(call), values, call.name);
  }

  /** Runs a statement that speaks for no tenant: a published function of identity or audit. */
  async run<Row>(text: string, values: unknown[], statementName: string): Promise<Row[]> {
    try {
      const { rows } = await this.pool.query<Row & object>({
        text,
        values,
        ...(this.preparedStatements && { name: statementName }),
      });
      return rows;
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /**
   * Runs work of several statements in one transaction that speaks for a tenant, on one connection.
   *
   * @throws ApiError for a refusal of a function that the work calls
   */
  async transaction<T>(scope: TenantScope, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(async (tx) => {
        await tx.query('SELECT tenancy.enter($1, $2, $3)', [
          scope.tenantId,
          scope.userId,
          scope.acrossTenants,
        ]);
        return work(tx);
      });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** TypeORM's own pool: statements outside its mapping take their connection from the same place. */
  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
