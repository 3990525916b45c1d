import type { ErrorCode } from '@plat/contracts/core';
import type { ClientErrorCode } from './client-errors';

/** A code that this client does not know by name: of the operating system, or of a service that is newer. */
type ForeignCode = string & { isForeign: true };

/** The code of a failure: the client's own, the service's, or a foreign one. A typing error in a code is an error of types. */
export type FailureCode = ClientErrorCode | ErrorCode | ForeignCode;

/** Marks a code that was read from an answer or an error, and not written here. */
export function foreignCode(code: string): FailureCode {
  return code as ForeignCode;
}
