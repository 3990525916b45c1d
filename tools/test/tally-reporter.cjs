const { tally } = require('./tally.cjs');

/** Counts for the closing line `N passed, N failed`, and fails a run in which no test ran. */
class TallyReporter {
  async onRunComplete(_contexts, results) {
    const passed = results.numPassedTests;
    // A file that can't be loaded has no tests to count, and is a failure all the same.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests + tally.notRun;
    tally.line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    if (passed + failed === 0) this.error = new Error('No test ran.');
    await tally.onEnd?.(filesOf(results));
  }

  getLastError() {
    return this.error;
  }
}

/** A file may run in several projects: it counts as one. */
function filesOf({ testResults }) {
  const files = new Map();
  for (const { testFilePath: path, testExecError, perfStats, ...counts } of testResults) {
    const { numPassingTests, numFailingTests, numPendingTests, numTodoTests } = counts;
    const file = files.get(path) ?? { path, passing: 0, failing: 0, others: 0, seconds: 0 };
    file.passing += numPassingTests;
    const failing = numFailingTests + (testExecError ? 1 : 0);
    file.failing += failing;
    file.others += failing + numPendingTests + numTodoTests;
    file.seconds += perfStats.runtime / 1000;
    files.set(path, file);
  }
  return [...files.values()];
}

module.exports = TallyReporter;
