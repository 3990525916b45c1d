const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** npm packages that ship ES modules only: jest loads them through the same transform as our code. */
const ESM_ONLY = [
  '@kubernetes',
  '@nestjs',
  '@borewit',
  '@tokenizer',
  'cookie',
  'file-type',
  'iterare',
  'jose',
  'load-esm',
  'node-pg-migrate',
  'oauth4webapi',
  'openid-client',
  'oidc-provider',
  'strtok3',
  'token-types',
  'uid',
  'uint8array-extras',
  'koa',
  'quick-lru',
  'nanoid',
  'eta',
  'got',
];

const { paths } = JSON.parse(readFileSync(join(__dirname, 'tsconfig.base.json'), 'utf8')).compilerOptions;
const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));

/** When a test counts as stuck: far more than any takes, since a busy machine starts a database in seconds, not tenths. */
const TEST_TIMEOUT_MS = 30_000;
exports.TEST_TIMEOUT_MS = TEST_TIMEOUT_MS;

/** One project's jest configuration; every jest.config.js calls it with its own folder. */
exports.project = (rootDir) => ({
  displayName: rootDir.slice(__dirname.length + 1),
  rootDir,
  testEnvironment: 'node',
  testTimeout: TEST_TIMEOUT_MS,
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  // Those need more than npm installs: `npm run test:peers`.
  testPathIgnorePatterns: ['/node_modules/', '\\.peers\\.spec\\.ts$'],
  setupFiles: [require.resolve('reflect-metadata')],
  globalSetup: join(__dirname, 'libs/testing/src/setup/global-setup.ts'),
  globalTeardown: join(__dirname, 'libs/testing/src/setup/global-teardown.ts'),
  // The compiler resolves `@plat/…`: jest's own moduleNameMapper does not hold in the global setup.
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      { ...swc, jsc: { ...swc.jsc, baseUrl: __dirname, paths }, swcrc: false },
    ],
  },
  // Imports of the client's bundles of large libraries, by the name that the compiler asks for.
  moduleNameMapper: { '^(\\.{1,2}/[\\w/-]*-library)\\.js$': '$1' },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
});
