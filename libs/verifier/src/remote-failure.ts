/** The reasons for which a remote cannot be judged. */
export type RemoteFailureReason = 'remote_refused' | 'remote_unreadable' | 'remote_too_large';

/**
 * The remote could not be read, so there is no verdict on the landing.
 *
 * The message is a phrase of this library for the log, with the host and the address that are not allowed. It never
 * contains text from the remote, and callers never see it: to them a closed port, a private host and a missing repository look the same.
 */
export class RemoteFailure extends Error {
  constructor(
    readonly reason: RemoteFailureReason,
    cause: string,
  ) {
    super(cause);
  }
}

/** The server itself refuses, for instance because it sends only the tips of branches. */
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
