import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import type { ServiceDefinition } from '@plat/service';
import { MergeScene, startTestService, type TestService } from '@plat/testing';
import type { ReviewsConfig } from '../config';
import { ReviewsModule } from '../reviews.module';
import { reviewsService } from '../service';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const keyless: ServiceDefinition<ReviewsConfig> = {
  ...reviewsService,
  module: (context, { MERGE_RECEIPT_KEY: _, ...config }) => ReviewsModule.register(context, config),
};

let service: TestService;
let scene: MergeScene;
beforeAll(async () => {
  service = await startTestService(keyless, buildsService, releasesService);
  scene = await MergeScene.create(service);
});
afterAll(async () => {
  await scene.remove();
  await service.stop();
});

describe('a deployment without a key that signs receipts', () => {
  it('merges all the same, and answers 501 NOT_IMPLEMENTED for the receipt and its attestation', async () => {
    const { id } = await scene.mergeReview();
    for (const what of ['receipt', 'attestation']) {
      const answer = await service.send('alice', `GET /v1/reviews/${id}/merge-${what}`);
      expect(answer).toMatchObject({ status: 501, body: { code: 'NOT_IMPLEMENTED' } });
    }
  });

  it('has no keys to show', async () => {
    const answer = await fetch(`${service.url}/v1/merge-receipt-keys`);
    expect(await answer.json()).toEqual({ keys: [] });
  });
});
