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

/** The files that an index of `@plat/…` re-exports by name, as it names them. */
const indexes = Object.values(paths).map(([file]) => readFileSync(join(__dirname, file), 'utf8'));
const reExported = indexes.flatMap((text) =>
  [...text.matchAll(/\} from '(\.[^']+)'/g)].map(([, name]) => name),
);

/**
 * Compiles with imports that are loaded when their first name is used: most specs use a small part of what their imports
 * import, and each file loads its modules again.
 *
 * @param lazy the specifiers of these imports; true: those of packages and of `@plat/…`
 */
const compiled = (lazy) => [
  '@swc/jest',
  {
    ...swc,
    jsc: { ...swc.jsc, baseUrl: __dirname, paths },
    module: { ...swc.module, lazy },
    swcrc: false,
  },
];

/** When a test counts as stuck: far more than any takes, since a busy machine starts a database in seconds, not tenths. */
const TEST_TIMEOUT_MS = 30_000;
exports.TEST_TIMEOUT_MS = TEST_TIMEOUT_MS;

/** One project's jest configuration; every jest.config.js calls it with its own folder. */
exports.project = (rootDir) => ({
  displayName: rootDir.slice(__dirname.length + 1),
  rootDir,
  // Where `npm ci` removes it, and where no run's temporary folder takes it away: a second run compiles nothing.
  cacheDirectory: join(__dirname, 'node_modules/.cache/jest'),
  testEnvironment: 'node',
  testTimeout: TEST_TIMEOUT_MS,
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  // Those need more than npm installs: `npm run test:peers`, `npm run nightly -- cluster`.
  testPathIgnorePatterns: ['/node_modules/', '\\.(peers|cluster)\\.spec\\.ts$'],
  setupFiles: [require.resolve('reflect-metadata')],
  globalSetup: join(__dirname, 'libs/testing/src/setup/global-setup.ts'),
  globalTeardown: join(__dirname, 'libs/testing/src/setup/global-teardown.ts'),
  // The compiler resolves `@plat/…`: jest's own moduleNameMapper does not hold in the global setup.
  transform: {
    '/(apps|libs)/.+/index\\.ts$': compiled(reExported),
    '^.+\\.(ts|js|mjs)$': compiled(true),
  },
  // Imports of the client's bundles of large libraries, by the name that the compiler asks for.
  moduleNameMapper: { '^(\\.{1,2}/[\\w/-]*-library)\\.js$': '$1' },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
});
