/**
 * Why there is nothing to show. `signed-out`: the token is over. `forbidden`: the caller's roles do not permit the route.
 * `not-found`: there is no such thing for this caller. `refused`: any other answer of the service. `unreachable`: no answer
 * came. `foreign`: an answer came, and it is not the service's. `too-large`: the answer has more than a page can hold.
 */
export type FailureKind =
  'signed-out' | 'forbidden' | 'not-found' | 'refused' | 'unreachable' | 'foreign' | 'too-large';

interface FailureFacts {
  /** The service's code, if it sent one. */
  code?: string;
  /** The route, as permissions name it: `GET /v1/releases`. */
  route?: string;
  /** The details that the service sends in addition to its message, by code. */
  details?: unknown;
}

/** A read that failed. The message is for the person. */
export class ReadFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly facts: FailureFacts = {},
  ) {
    super(message);
  }
}

/** The failure that an answer of the service stands for. */
export function failureOf(status: number, body: unknown, route: string): ReadFailure {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { code, message, details } = fields;
  if (typeof code !== 'string' || typeof message !== 'string') {
    return new ReadFailure('foreign', `Something answered ${status} in place of the service.`, { route });
  }
  return new ReadFailure(kindOf(status), message, { code, route, details });
}

const MISSING: readonly FailureKind[] = ['forbidden', 'not-found', 'refused', 'too-large'];

/** Returns undefined for a part that this person cannot read, or that is gone again; a list is then shown without it. */
export async function orUndefined<Answer>(reading: Promise<Answer>): Promise<Answer | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof ReadFailure && MISSING.includes(error.kind)) return undefined;
    throw error;
  });
}

function kindOf(status: number): FailureKind {
  if (status === 401) return 'signed-out';
  if (status === 403) return 'forbidden';
  return status === 404 ? 'not-found' : 'refused';
}
