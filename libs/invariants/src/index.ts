export type { Violation } from './violations';
export { INVARIANTS, violations } from './violations';
