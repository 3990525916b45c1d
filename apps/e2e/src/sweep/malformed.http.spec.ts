import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  buildService,
  createTestDatabase,
  type ServiceProcess,
  type StandaloneProcess,
  startService,
  startStandalone,
  type TestDatabase,
  testDirectory,
  TokenIssuer,
} from '@plat/testing';
import { describeMalformed } from './malformed.conformance';

describe('npm start', () => {
  let standalone: StandaloneProcess;
  beforeAll(async () => (standalone = await startStandalone()), 120_000);
  afterAll(() => standalone?.stop());

  describeMalformed('npm start', () => ({ url: standalone.apiUrl, host: 'localhost' }));
});

describe('a service alone', () => {
  let database: TestDatabase;
  let issuer: TokenIssuer;
  let reviews: ServiceProcess;
  beforeAll(async () => {
    [database, issuer] = await Promise.all([
      createTestDatabase(),
      TokenIssuer.start(),
      buildService('reviews'),
    ]);
    await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
    reviews = await startService('reviews', { DATABASE_URL: database.url(LOGIN_ROLES.reviews) });
  }, 120_000);
  afterAll(async () => {
    reviews?.child.kill('SIGTERM');
    expect(await reviews?.exited).toEqual([0, null]);
    await Promise.all([issuer.stop(), database.drop()]);
  });

  describeMalformed('a service alone', () => reviews);
});
