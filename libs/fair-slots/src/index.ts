export { FairSlots } from './fair-slots';
export { CallerGone, LineFull } from './refused-slot';
export type { Slot, YieldingSlot } from './slot';
export { TimeTaken } from './time-taken';
