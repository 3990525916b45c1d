/** What the run came to; jest's reporter and the command share it. */
const tally = { line: undefined };

/** Counts for the closing line `N passed, N failed`, and fails a run in which no test ran. */
class TallyReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests;
    // A file that can't be loaded has no tests to count, and is a failure all the same.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    tally.line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    if (passed + failed === 0) this.error = new Error('No test ran.');
  }

  getLastError() {
    return this.error;
  }
}

module.exports = TallyReporter;
module.exports.tally = tally;
