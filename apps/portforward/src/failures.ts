/** The kubeconfig cannot be used. Its message names the file, and nothing of its contents. */
export class KubeconfigUnreadable extends Error {}

/** No credentials: a plugin, a token's file or an issuer failed. */
export class CredentialsMissing extends Error {}

/** The API server answered with another status than success. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The connection to the API server failed before an answer. */
export class ApiUnreachable extends Error {
  /** `isReused`: the connection was one that had been used before, which the server may have ended since. */
  constructor(
    message: string,
    readonly isReused: boolean,
  ) {
    super(message);
  }
}

/** No connection can be made to the Service, though the API server answers. */
export class ServiceUnready extends Error {}

/** The API server says that the environment's namespace does not exist. */
export class EnvironmentGone extends Error {}
