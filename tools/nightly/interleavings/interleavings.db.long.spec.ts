import { applyDirectory } from '@plat/database';
import { createTestDatabase, testDirectory } from '@plat/testing';
import { runInterleavings } from './run';

/** The nightly run makes thousands of requests; this one checks that the driver and its judge work. */
it('requests of all kinds at once: every answer true, every move allowed, every promise kept', async () => {
  const database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  const result = await runInterleavings({
    ownerUrl: database.ownerUrl,
    loginUrl: (role) => database.url(role),
    seed: 1,
    operations: 600,
    workers: 8,
  });
  await database.drop();
  expect(result.faults).toEqual([]);
  expect(result.moves).toBeGreaterThan(50);
}, 60_000);
