import { findJsonShapeFault } from '@plat/local';

/** The platform's answers have five levels, and a row of a page some dozens of fields. */
const BOUNDS = { depthMax: 100, itemsMax: 2_000_000 };
const FAULTS = {
  too_deep: 'it is nested too deeply',
  too_many: 'it has more than 2,000,000 fields and items',
};

/** Why a JSON text is not parsed, as a clause; undefined if it may be. */
export function shapeFaultOf(text: string): string | undefined {
  const fault = findJsonShapeFault(Buffer.from(text), BOUNDS);
  return fault && FAULTS[fault];
}
