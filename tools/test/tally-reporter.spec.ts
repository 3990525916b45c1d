import { tally } from './tally.cjs';
import TallyReporter from './tally-reporter.cjs';

const results = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

async function reportCounts(
  counts: Partial<typeof results>,
): Promise<{ line: string | undefined; error: Error | undefined }> {
  const reporter = new TallyReporter();
  await reporter.onRunComplete(new Set(), { ...results, ...counts });
  return { line: tally.line, error: reporter.getLastError() };
}

describe('the tally', () => {
  it('counts what passed and failed', async () => {
    const { line, error } = await reportCounts({ numPassedTests: 3, numFailedTests: 1 });
    expect([line, error]).toEqual(['3 passed, 1 failed', undefined]);
  });

  it('counts a file that could not be loaded as a failure', async () => {
    const { line } = await reportCounts({ numPassedTests: 3, numRuntimeErrorTestSuites: 2 });
    expect(line).toBe('3 passed, 2 failed');
  });

  it('says what was skipped, when something was', async () => {
    const { line } = await reportCounts({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 });
    expect(line).toBe('3 passed, 0 failed, 2 skipped');
  });

  it('counts as skipped what was left out before the run', async () => {
    tally.notRun = 4;
    const { line } = await reportCounts({ numPassedTests: 3, numPendingTests: 1 });
    tally.notRun = 0;
    expect(line).toBe('3 passed, 0 failed, 5 skipped');
  });

  it('fails a run in which no test ran', async () => {
    expect((await reportCounts({ numPendingTests: 5 })).error).toEqual(new Error('No test ran.'));
  });
});
