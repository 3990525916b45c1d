const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { TEST_TIMEOUT_MS } = require('./jest.preset.js');

/** Every folder with a jest configuration and sources: the apps, the libs, the contracts and the tools. */
const projects = ['apps', 'libs', 'libs/contracts', '.']
  .flatMap((parent) => readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)))
  .filter((folder) => existsSync(join(folder, 'jest.config.js')));

module.exports = {
  projects,
  maxWorkers: '100%',
  testTimeout: TEST_TIMEOUT_MS,
  // A worker keeps memory of each file that it has run, and starting git copies the tables of all of it: with a gigabyte
  // most of the processor's time goes there. A worker above this heap is replaced before the next file.
  workerIdleMemoryLimit: '300MB',
  reporters: ['default', join(__dirname, 'tools/test/tally-reporter.cjs')],
};
