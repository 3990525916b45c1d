/** What the service answered instead of success. */
export interface ApiFaultFields {
  status: number;
  /** A code of docs/errors.md, `unresolved_threads`, or `HTTP_<status>` when something else answered. */
  code: string;
  message: string;
  details?: Record<string, unknown>;
  /** Names the request in the service's log. */
  requestId?: string;
}

/** A refusal or a failure that came as an answer. */
export class ApiFault extends Error implements ApiFaultFields {
  readonly status: number;
  readonly code: string;
  readonly details?: Record<string, unknown>;
  readonly requestId?: string;

  constructor({ status, code, message, details, requestId }: ApiFaultFields) {
    super(message);
    this.name = 'ApiFault';
    this.status = status;
    this.code = code;
    if (details !== undefined) this.details = details;
    if (requestId !== undefined) this.requestId = requestId;
  }
}

/** No answer came: nobody listens, the connection broke, or it took too long. Whether the call acted is unknown. */
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

/** Reads a refusal's body, whatever sent it. Spec: API, Errors. */
export function faultOf(status: number, body: unknown, requestId: unknown): ApiFault {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { code, error, message, details, ...rest } = fields;
  const shared = {
    status,
    message: typeof message === 'string' && message !== '' ? message : `The service answered ${status}.`,
    ...(typeof requestId === 'string' && { requestId }),
  };
  if (error === 'unresolved_threads') return new ApiFault({ ...shared, code: error, details: rest });
  return new ApiFault({
    ...shared,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    ...(isRecord(details) && { details }),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
