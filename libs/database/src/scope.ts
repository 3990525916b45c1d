/** The tenant and user for whom a statement runs. */
export interface TenantScope {
  tenantId: string;
  userId: string;
  /** The seal of identity for this user of this tenant, without which the database accepts neither. */
  proof: string;
  /** Reads the rows of every tenant. Only for reads of callers of the operations tenant. */
  acrossTenants: boolean;
}
