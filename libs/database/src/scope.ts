/** For whom a statement speaks. */
export interface TenantScope {
  tenantId: string;
  userId: string;
  /** What identity has sealed for this user of this tenant: without it the database believes neither. */
  proof: string;
  /** Read the rows of every tenant: for a read of a caller of the operations tenant, and nothing else. */
  acrossTenants: boolean;
}
