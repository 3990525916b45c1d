/** The tenant and user for whom a statement runs. */
export interface TenantScope {
  tenantId: string;
  userId: string;
  /** The seal of identity for this user of this tenant, without which the database accepts neither. */
  proof: string;
  /** Reads the rows of every tenant. Only for reads of callers of the operations tenant. */
  acrossTenants: boolean;
}

/** A creating request, which is done once however often it is sent. */
export interface RequestKey {
  /** The caller's Idempotency-Key. */
  text: string;
  /** SHA-256 of what a repeat must have in common with it. */
  digest: Buffer;
  /** Set if the request was a repeat: it is answered as the first one was, and nothing was done. */
  isRepeat?: true;
}

/** For whom a creating statement runs, and for which request, if that has a key. */
export interface KeyedScope extends TenantScope {
  key?: RequestKey | undefined;
}
