import { ApiError } from '@plat/contracts/core';

/** The caller that asked for a slot has gone away, which is no fault of the service. */
export class CallerGone extends Error {
  constructor() {
    super('the caller has gone away');
  }
}

/** The line of a key is full: no further caller may wait for a slot. */
export class LineFull extends Error {
  constructor() {
    super('too many callers of this key wait');
  }
}

/** The error of a caller that gets no slot. */
export const refusedSlot = (cause: Error): ApiError => new ApiError('SERVICE_UNAVAILABLE', { cause });
