import type { EntityManager } from 'typeorm';
import { type Database, type TenantScope, violates } from '@plat/database';
import { FairSlots } from '@plat/fair-slots';
import type { EnvironmentRow } from './environment.queries';

/** A public name of an environment; null for none. */
export interface PublicName<Name extends string | null = string | null> {
  environmentId: string;
  hostname: Name;
}

export type ExposedRow = Omit<EnvironmentRow, 'namespace'>;

/** Records the environment's public name, null for none. Returns no row when the environment is gone. */
export function setExposedHostname(
  tx: EntityManager,
  scope: TenantScope,
  { environmentId, hostname }: PublicName,
): Promise<ExposedRow[]> {
  const args = [scope.tenantId, environmentId, hostname];
  return tx.query('SELECT * FROM environments.set_exposed_hostname($1, $2, $3)', args);
}

/** A name server that is slow to answer must not keep the connections from other work. */
const slots = new FairSlots({ total: 2, each: 2, eachBeside: 1, waitMs: 10_000 });

/**
 * Runs the work while the environment has the name and no other one can take it, so that records of the name are written by
 * its environment alone, one after the other. It keeps a connection meanwhile: the work must end within seconds.
 *
 * @param work gets no environment if it is gone
 * @returns undefined if another environment has the name
 * @throws SERVICE_UNAVAILABLE if too many names are held for too long
 */
export async function whileNameIsHeld<T>(
  database: Database,
  { scope, ...name }: PublicName<string> & { scope: TenantScope },
  work: (tx: EntityManager, environment: ExposedRow | undefined) => Promise<T>,
): Promise<T | undefined> {
  const writeName = () =>
    database.transaction(scope, async (tx) => {
      const [environment] = await setExposedHostname(tx, scope, name);
      return work(tx, environment);
    });
  try {
    return await slots.run(scope.tenantId, writeName);
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

/** Whether the error means that another environment has the name. */
export const isTaken = (error: unknown): boolean => violates(error, 'environments_exposed_hostname');
