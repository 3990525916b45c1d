const usual = require('./jest.config.js');

/** The tests of minutes: `npm run test:long`. */
module.exports = {
  ...usual,
  testMatch: ['<rootDir>/{apps,libs}/**/src/**/*.long.spec.ts', '<rootDir>/tools/**/*.long.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
