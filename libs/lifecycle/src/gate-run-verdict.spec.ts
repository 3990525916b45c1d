import { GATE_RUN_VERDICTS } from '@plat/contracts/core';
import { validVerdicts } from './gate-run-verdict';

describe('a gate run', () => {
  it('moves once from RUNNING to a verdict', () => {
    expect(validVerdicts('RUNNING')).toEqual(['PASSED', 'FAILED', 'INCONCLUSIVE']);
  });

  it.each(GATE_RUN_VERDICTS.filter((verdict) => verdict !== 'RUNNING'))(
    'stays %s once decided',
    (verdict) => {
      expect(validVerdicts(verdict)).toEqual([]);
    },
  );
});
