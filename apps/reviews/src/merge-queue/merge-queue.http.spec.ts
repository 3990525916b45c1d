import { buildsService } from '@plat/builds';
import { startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
}, 60_000);
afterAll(() => service.stop());

describe('POST /v1/reviews/merge-queue/advance', () => {
  it('smoke', async () => {
    const made = await service.send('alice', 'POST /v1/reviews', { name: 'a', sourceBranch: 'feature/12-x', targetBranch: 'main', repository: 'git@h.example:acme/app.git' });
    console.log(made.status, made.body);
    const build = await service.send('alice', `POST /v1/reviews/${made.body.reviewId}/builds`, { commitId: 'a'.repeat(40), successful: true, version: '1.0.0' });
    console.log(build.status, build.body);
    console.log((await service.send('alice', `GET /v1/reviews/${made.body.reviewId}`)).body);
    console.log((await service.send('alice', `POST /v1/reviews/merge-queue/advance`, {targetBranch: 'main'})).body);
    console.log((await service.send('alice', `POST /v1/reviews/merge-queue/advance`, {targetBranch: ''})).body);
    console.log((await service.send('mallory', `GET /v1/reviews/${made.body.reviewId}`)).body);
    console.log((await service.send('olga', `GET /v1/reviews/${made.body.reviewId}`)).body);
    console.log((await service.send('dave', `GET /v1/reviews/xyz`)).body);
    console.log((await service.send('bob', `GET /v1/reviews/xyz`)).body);
    console.log((await service.send('bob', `PATCH /v1/reviews/${made.body.reviewId}/status`, {status: 'READY'})).body);
    console.log((await service.send('bob', `PATCH /v1/reviews/${made.body.reviewId}/status`, {status: 'READY'})).body);
    console.log((await service.send('bob', `PATCH /v1/reviews/${made.body.reviewId}/status`, {status: 'MERGED', remoteUrl: 'https://h.example/acme/app'})).body);
    console.log(await service.database.query('select * from reviews.queue_moves'));
  });
});
