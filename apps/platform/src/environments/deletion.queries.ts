import type { Database, TenantScope } from '@plat/database';
import { findEnvironment } from './environment.queries';
import { whileNameIsHeld } from './public-name.queries';

/** A claimed job of environments.deletions. */
export interface DeletionRow {
  tenant_id: string;
  environment_id: string;
  requested_by: string;
  namespace: string;
  kubernetes_context: string | null;
  /** The number of attempts, including this one. */
  attempts: number;
  lease_id: string;
  /** The proof of the user who asked for the deletion. */
  proof: string;
}

/** Claims the oldest due job of any tenant under a new lease. Returns no row when no job is due. */
export function claimDeletion(
  database: Database,
  { leaseId, leaseSeconds }: { leaseId: string; leaseSeconds: number },
): Promise<DeletionRow[]> {
  return database.run({
    name: 'claim_deletion',
    text: 'SELECT * FROM environments.claim_deletion_job($1, $2)',
    values: [leaseId, leaseSeconds],
  });
}

/** Removes the environment with its job. Like the next two, it does nothing if another worker has the lease by now. */
export function finishDeletion(database: Database, job: DeletionRow): Promise<unknown> {
  return database.call(scopeOf(job), { name: 'environments.finish_deletion', args: leaseOf(job) });
}

export function postponeDeletion(
  database: Database,
  job: DeletionRow,
  pauseSeconds: number,
): Promise<unknown> {
  return database.call(scopeOf(job), {
    name: 'environments.postpone_deletion',
    args: [...leaseOf(job), pauseSeconds],
  });
}

export function blockDeletion(database: Database, job: DeletionRow, reason: string): Promise<unknown> {
  return database.call(scopeOf(job), {
    name: 'environments.block_deletion',
    args: [...leaseOf(job), reason],
  });
}

/** The public name that the environment has; a record of the same name may be another environment's. */
export async function readExposedHostname(database: Database, job: DeletionRow): Promise<string | null> {
  const [environment] = await findEnvironment(database, scopeOf(job), job.environment_id);
  return environment?.exposed_hostname ?? null;
}

/** Runs the work while no other environment can take the public name. Does nothing if another one has it by now. */
export async function whileItsNameIsHeld(
  database: Database,
  { job, hostname }: { job: DeletionRow; hostname: string },
  work: () => Promise<void>,
): Promise<void> {
  const name = { scope: scopeOf(job), environmentId: job.environment_id, hostname };
  await whileNameIsHeld(database, name, work);
}

const leaseOf = (job: DeletionRow): string[] => [job.environment_id, job.lease_id];

/** A job runs in the scope of the tenant and user that asked for it. */
const scopeOf = (job: DeletionRow): TenantScope => ({
  tenantId: job.tenant_id,
  userId: job.requested_by,
  proof: job.proof,
  acrossTenants: false,
});
