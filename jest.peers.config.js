const { existsSync, readdirSync } = require('node:fs');
const { basename, join } = require('node:path');
const { maxWorkers, reporters, workerIdleMemoryLimit } = require('./jest.config.js');

const setup = join(__dirname, 'libs/testing/src/setup');

/** Every folder with a jest configuration and sources: the apps, the libs, the contracts and the tools. */
const folders = ['apps', 'libs', 'libs/contracts', '.']
  .flatMap((parent) => readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)))
  .filter((folder) => existsSync(join(folder, 'jest.config.js')));
const project = (name) => folders.find((folder) => basename(folder) === name);

/** Specs of a project that run once more, over another database than usual. */
const onceMore = ({ on, stand, globals = {}, projects, testMatch }) =>
  projects.map(project).map((folder) => {
    const usual = require(`${folder}/jest.config.js`);
    return {
      ...usual,
      displayName: `${usual.displayName} ${on}`,
      globals: { ...usual.globals, ...globals },
      testMatch,
      globalSetup: join(setup, stand, 'global-setup.ts'),
      setupFiles: [...usual.setupFiles, join(setup, stand, 'each-file.ts')],
    };
  });

/** The versions of PostgreSQL on which the tests of databases run once more: the oldest, and at night those between too. */
const postgresqlVersions = (process.env.PLAT_POSTGRESQL_VERSIONS ?? '15').split(',');

/** The way of a review to its merge and release, its races, and what else writes. */
const POOLED = [
  'review',
  'build',
  'merge-queue{,-races}',
  'merge-report{,-races}',
  'release',
  'audited-requests',
  'environment',
];

/** The tests that need other people's servers: `npm run test:peers`, which sets those up. */
module.exports = {
  maxWorkers,
  reporters,
  workerIdleMemoryLimit,
  projects: [
    ...folders.map((folder) => ({
      ...require(`${folder}/jest.config.js`),
      testMatch: ['<rootDir>/**/*.peers.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    })),
    ...postgresqlVersions.flatMap((postgresql) =>
      onceMore({
        on: `on PostgreSQL ${postgresql}`,
        stand: 'other-postgresql',
        globals: { postgresql },
        projects: ['database', 'service', 'invariants', 'reviews', 'builds', 'releases', 'audit', 'platform'],
        testMatch: [
          '<rootDir>/src/**/*.db{,.long}.spec.ts',
          '<rootDir>/src/merge-reports/merge-report.http.spec.ts',
        ],
      }),
    ),
    ...onceMore({
      on: 'behind PgBouncer',
      stand: 'pooled',
      projects: ['reviews', 'builds', 'releases', 'audit', 'platform'],
      testMatch: POOLED.map((name) => `<rootDir>/src/*/${name}.http{,.long}.spec.ts`),
    }),
  ],
  testTimeout: 60_000,
};
