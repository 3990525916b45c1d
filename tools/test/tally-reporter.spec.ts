import TallyReporter, { tally } from './tally-reporter.cjs';

const results = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

function reported(counts: Partial<typeof results>): { line: string | undefined; error: Error | undefined } {
  const reporter = new TallyReporter();
  reporter.onRunComplete(new Set(), { ...results, ...counts });
  return { line: tally.line, error: reporter.getLastError() };
}

describe('the tally', () => {
  it('counts what passed and failed', () => {
    const { line, error } = reported({ numPassedTests: 3, numFailedTests: 1 });
    expect([line, error]).toEqual(['3 passed, 1 failed', undefined]);
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(reported({ numPassedTests: 3, numRuntimeErrorTestSuites: 2 }).line).toBe('3 passed, 2 failed');
  });

  it('says what was skipped, when something was', () => {
    expect(reported({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }).line).toBe(
      '3 passed, 0 failed, 2 skipped',
    );
  });

  it('fails a run in which no test ran', () => {
    expect(reported({ numPendingTests: 5 }).error).toEqual(new Error('No test ran.'));
  });
});
