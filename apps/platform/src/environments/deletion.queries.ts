import type { Database, TenantScope } from '@plat/database';

/** A job as it was taken up, from environments.deletions. */
export interface DeletionRow {
  tenant_id: string;
  environment_id: string;
  requested_by: string;
  namespace: string;
  kubernetes_context: string | null;
  /** This one included. */
  attempts: number;
  lease_id: string;
  /** By which the worker speaks for who asked. */
  proof: string;
}

/** The oldest job that is due, of any tenant, under a new lease; none when none is. */
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

/** Removes the environment with its job. Like the next two, nothing when the lease is another worker's by now. */
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

const leaseOf = (job: DeletionRow): string[] => [job.environment_id, job.lease_id];

/** A job speaks for the tenant and user that asked for it. */
const scopeOf = (job: DeletionRow): TenantScope => ({
  tenantId: job.tenant_id,
  userId: job.requested_by,
  proof: job.proof,
  acrossTenants: false,
});
