/** The contents of an answer that is not a success. */
export interface ApiFaultFields {
  status: number;
  /** A code of docs/errors.md, `unresolved_threads`, or `HTTP_<status>` when something else answered. */
  code: string;
  message: string;
  details?: Record<string, unknown>;
  /** Names the request in the service's log. */
  requestId?: string;
  /** Seconds after which to ask again, if the answer has them. */
  retryAfterSeconds?: number;
}

/** A refusal or a failure that came as an answer. */
export class ApiFault extends Error implements ApiFaultFields {
  readonly status: number;
  readonly code: string;
  readonly details?: Record<string, unknown>;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;

  constructor({ status, code, message, details, requestId, retryAfterSeconds }: ApiFaultFields) {
    super(message);
    this.name = 'ApiFault';
    this.status = status;
    this.code = code;
    if (details !== undefined) this.details = details;
    if (requestId !== undefined) this.requestId = requestId;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The platform answered that the caller has what there is. */
export class Unchanged extends Error {
  constructor() {
    super('It has not changed.');
    this.name = 'Unchanged';
  }
}

/**
 * No answer came: no server listens, the connection broke, or it took too long. It is unknown whether the call acted.
 */
export class ApiUnreachable extends Error {
  constructor(
    readonly baseUrl: string,
    /** Such as `ECONNREFUSED` or `ECONNABORTED`. */
    readonly reason: string,
  ) {
    super(`${baseUrl} did not answer (${reason}).`);
    this.name = 'ApiUnreachable';
  }
}

/**
 * A success that is not the platform's: a sign-in page of the network, a proxy's page, another server at the address.
 * Whether the call acted is unknown.
 */
export class ForeignAnswer extends Error {
  constructor(
    readonly baseUrl: string,
    readonly status: number,
    /** How it differs from the contract, such as `it is not JSON`. */
    readonly difference: string,
  ) {
    super(`What answered ${status} at ${baseUrl} is not the platform: ${difference}.`);
    this.name = 'ForeignAnswer';
  }
}

/** The headers of an answer, by name in lower case. */
export type AnswerHeaders = Readonly<Record<string, unknown>>;

/** Reads a refusal's body, even if another server than the platform sent it. Spec: API, Errors. */
export function faultOf(status: number, body: unknown, headers: AnswerHeaders): ApiFault {
  const requestId = headers['x-request-id'];
  const seconds = Number(headers['retry-after'] ?? NaN);
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { code, error, message, details, ...rest } = fields;
  const shared = {
    status,
    message:
      typeof message === 'string' && message !== ''
        ? message
        : `The platform's address answered ${status} without saying why.`,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterSeconds: Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : undefined,
  };
  if (error === 'unresolved_threads') return new ApiFault({ ...shared, code: error, details: rest });
  return new ApiFault({
    ...shared,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    details: isRecord(details) ? details : undefined,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
