import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import type { ServiceDefinition } from '@plat/service';
import { MergeScene, startTestService, type TestService } from '@plat/testing';
import type { ReviewsConfig } from '../config';
import { ReviewsModule } from '../reviews.module';
import { reviewsService } from '../service';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

let folder: string;
let service: TestService;
let scene: MergeScene;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-lost-'));
  const workerFile = join(folder, 'worker.js');
  // Kills itself, as the operating system kills a process when no memory is left.
  await writeFile(
    workerFile,
    `process.once('message', () => process.on('message', () => process.kill(process.pid, 'SIGKILL')));`,
  );
  const losing: ServiceDefinition<ReviewsConfig> = {
    ...reviewsService,
    module: (context, config) =>
      ReviewsModule.register(context, Object.assign(config, { VERIFIER_WORKER_FILE: workerFile })),
  };
  service = await startTestService(losing, buildsService, releasesService);
  scene = await MergeScene.create(service);
});
afterAll(async () => {
  await scene.remove();
  await service.stop();
  await rm(folder, { recursive: true });
});

const countLostProcesses = async (): Promise<number> => {
  const figures = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^plat_verifier_processes_lost_total (\d+)$/m.exec(figures)?.[1]);
};

describe('a verifier process that is killed', () => {
  it('is replaced once; if the second is killed as well, the answer is 503 and the review stays at MERGE', async () => {
    const { id, buildId } = await scene.openGated();
    const before = await countLostProcesses();
    const { status, body } = await scene.report(id, buildId);
    expect({ status, body: body as unknown }).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
    expect(await countLostProcesses()).toBe(before + 2);
    expect(await scene.verificationOf(id)).toEqual([]);
    expect((await scene.scene.review(id)).status).toBe('MERGE');
    expect(
      service.logged().filter(({ msg }) => msg === 'a verification process failed by itself'),
    ).toHaveLength(2);
  });
});
