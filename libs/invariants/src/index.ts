export { LEDGER_INVARIANTS } from './ledger';
export type { Violation } from './violations';
export { examineDatabase, INVARIANTS } from './violations';
