/** Why a connection to a pod cannot be opened, in a sentence for the log. */
export class ClusterError extends Error {
  override name = 'ClusterError';

  /** @param status of the API server's answer; undefined if there was none */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}
