const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { project } = require('./jest.preset.js');

/** All tests as one project of jest's: a worker then resolves, reads and transforms a file once for all of them. */
const { displayName: _one, ...all } = project(__dirname);

module.exports = {
  ...all,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testMatch: ['<rootDir>/{apps,libs}/**/src/**/*.spec.ts', '<rootDir>/tools/**/*.spec.ts'],
  testPathIgnorePatterns: [...all.testPathIgnorePatterns, '\\.long\\.spec\\.ts$'],
  // A file waits now and then, for a poll or a lock: twice as many workers as processors use that time.
  maxWorkers: 2 * availableParallelism(),
  // A worker keeps memory of each file that it has run, and starting git copies the tables of all of it: with a gigabyte
  // most of the processor's time goes there. A worker above this heap is replaced before the next file.
  workerIdleMemoryLimit: '300MB',
  reporters: [
    'default',
    ...['tally', 'stuck'].map((name) => join(__dirname, `tools/test/${name}-reporter.cjs`)),
  ],
};
