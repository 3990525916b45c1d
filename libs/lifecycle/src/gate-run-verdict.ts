import { GATE_RUN_DECISIONS, type GateRunVerdict } from '@plat/contracts/core';

/** The verdicts that a run at this verdict may move to: RUNNING moves once, a decided run never. Rule E2. */
export function validVerdicts(verdict: GateRunVerdict): GateRunVerdict[] {
  return verdict === 'RUNNING' ? [...GATE_RUN_DECISIONS] : [];
}
