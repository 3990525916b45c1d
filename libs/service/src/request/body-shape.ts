import { findJsonShapeFault, type JsonShapeFault } from '@plat/local';

/** Most lists and objects of a body within each other. Those that routes read have 2. */
export const BODY_DEPTH_MAX = 32;
/** Most commas of a body, that is about as many fields and items. Those that routes read have some hundreds. */
export const BODY_ITEMS_MAX = 10_000;

/** Whether a JSON text is deeper, or has more fields and items, than any body has to. */
export const findShapeFault = (bytes: Buffer): JsonShapeFault | undefined =>
  findJsonShapeFault(bytes, { depthMax: BODY_DEPTH_MAX, itemsMax: BODY_ITEMS_MAX });
