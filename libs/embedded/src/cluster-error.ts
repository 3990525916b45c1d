/** The embedded PostgreSQL cannot be made or started. The message says what is wrong and where. */
export class ClusterError extends Error {
  override name = 'ClusterError';
}
