const { maxWorkers: _many, ...usual } = require('./jest.config.js');
const plat = require('./apps/plat/jest.config.js');

/** The tests on a cluster with a node: `npm run nightly -- cluster`, which makes what they run in. */
module.exports = {
  reporters: usual.reporters,
  maxWorkers: 1,
  projects: [
    {
      ...plat,
      displayName: 'cluster',
      testMatch: ['<rootDir>/src/**/*.cluster.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
