/** The embedded PostgreSQL cannot be made or started; the message tells a person what is wrong and where. */
export class ClusterError extends Error {
  override name = 'ClusterError';
}
