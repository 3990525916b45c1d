const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Every folder with a jest configuration and sources: the apps, the libs, the contracts and the tools. */
const projects = ['apps', 'libs', 'libs/contracts', '.']
  .flatMap((parent) => readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)))
  .filter((folder) => existsSync(join(folder, 'jest.config.js')));

module.exports = {
  projects,
  maxWorkers: '100%',
  reporters: ['default', join(__dirname, 'tools/test/tally-reporter.cjs')],
};
