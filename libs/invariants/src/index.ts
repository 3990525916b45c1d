export type { Violation } from './violations';
export { examineDatabase, INVARIANTS } from './violations';
