import { buildsService } from '@plat/builds';
import { Database, LOGIN_ROLES, type TenantScope } from '@plat/database';
import { proveScope, ReviewScene, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';
import { pageMergeQueue, type WaitingRow } from './merge-queue.queries';

describe('the line, read in pages while it moves', () => {
  let service: TestService;
  let database: Database;
  beforeAll(async () => {
    service = await startTestService(reviewsService, buildsService);
    scope = await proveScope(service.database, 'alice');
    database = await Database.connect({
      url: service.database.url(LOGIN_ROLES.reviews),
      applicationName: 'spec',
      poolSizeMax: 1,
      preparedStatements: false,
    });
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });

  let scope: TenantScope;
  const page = (scene: ReviewScene, after?: WaitingRow, asOf?: string) =>
    pageMergeQueue(database, scope, { filters: { targetBranch: scene.targetBranch }, after, asOf, rows: 2 });
  const ids = (rows: WaitingRow[]) => rows.map(({ review_id: id }) => id);

  it('has a review that goes to its end once, and one that comes later not at all', async () => {
    const scene = new ReviewScene(service);
    const waiting = [
      await scene.openWaiting(),
      await scene.openWaiting(),
      await scene.openWaiting(),
      await scene.openWaiting(),
    ];
    const first = await page(scene);
    await scene.advance();
    await scene.patch(waiting[0]!, { status: 'READY' });
    await scene.openWaiting();
    const { as_of: asOf } = first[0]!;
    const second = await page(scene, first[1], asOf);
    const third = await page(scene, second[1], asOf);
    expect([ids(first), ids(second), ids(third)]).toEqual([waiting.slice(0, 2), waiting.slice(2), []]);
  });
});
