/**
 * A gate run's verdicts. INCONCLUSIVE means that no real verdict was reached, and is worth re-driving.
 * Spec: API, Gate run.
 */
export const GATE_RUN_VERDICTS = ['RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE'] as const;

export type GateRunVerdict = (typeof GATE_RUN_VERDICTS)[number];

/** The verdicts that a run at this one may move to: RUNNING moves once, a decided run never (Decision E2). */
export function validVerdicts(verdict: GateRunVerdict): GateRunVerdict[] {
  return verdict === 'RUNNING' ? ['PASSED', 'FAILED', 'INCONCLUSIVE'] : [];
}
