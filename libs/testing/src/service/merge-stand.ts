import { MergeScene } from './merge-scene';
import { startTestService, type TestService } from './test-service';

/** Services, and the repositories that they read. */
export class MergeStand {
  private readonly scenes: MergeScene[] = [];

  private constructor(readonly service: TestService) {}

  static async start(...definitions: Parameters<typeof startTestService>): Promise<MergeStand> {
    return new MergeStand(await startTestService(...definitions));
  }

  /** A new repository, which the next `removeRepositories` removes. */
  async repository(served?: 'http' | 'file'): Promise<MergeScene> {
    const scene = await MergeScene.create(this.service, served);
    this.scenes.push(scene);
    return scene;
  }

  async removeRepositories(): Promise<void> {
    await Promise.all(this.scenes.splice(0).map((scene) => scene.remove()));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
