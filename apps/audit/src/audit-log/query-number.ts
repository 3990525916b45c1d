import { ApiError } from '@plat/contracts/core';

/**
 * Reads a number of a query, which the field's rule has found to be an integer.
 *
 * @throws INVALID_QUERY if it is not within the bounds
 */
export function queryNumber(
  field: string,
  text: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise?: number },
): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value !== undefined && value >= least && value <= most) return value;
  throw new ApiError('INVALID_QUERY', {
    message: `${field} must be an integer from ${least} to ${most}.`,
    details: { field },
  });
}
