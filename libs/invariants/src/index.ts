export { INVARIANTS, violations } from './violations';
export type { Violation } from './violations';
