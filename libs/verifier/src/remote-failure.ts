/** The reasons for which a remote could not be judged at all. */
export type RemoteFailureReason = 'remote_refused' | 'remote_unreadable' | 'remote_too_large';

/**
 * The remote could not be read, so nothing was judged.
 *
 * The message is a fixed phrase of this library for the log. It never carries text from the remote,
 * and callers never see it: to them a closed port, a private host and a missing repository look the same.
 */
export class RemoteFailure extends Error {
  constructor(
    readonly reason: RemoteFailureReason,
    cause: string,
  ) {
    super(cause);
  }
}

/** The server itself says no, for instance because it hands out only what branches point at. */
export class ServerRefusal extends RemoteFailure {
  constructor() {
    super('remote_unreadable', 'server reported an error');
  }
}

export function refused(cause: string): RemoteFailure {
  return new RemoteFailure('remote_refused', cause);
}

export function unreadable(cause: string): RemoteFailure {
  return new RemoteFailure('remote_unreadable', cause);
}

export function tooLarge(cause: string): RemoteFailure {
  return new RemoteFailure('remote_too_large', cause);
}
