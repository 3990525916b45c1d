import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import type { Builder, BuilderCommand, ImageOrder } from './builder';
import { TEST_STAGE } from './dockerfile-stages';
import type { ImageTags } from './image-tags';
import type { ImageRecipe } from './recipe';
import { BuilderFailed, runBuilder, type Workbench } from './run-builder';
import { isReplay, mergedEvidence, type TestStageEvidence, TestStageProgress } from './test-stage-replay';

/** An image with all its names, by platform. */
export interface ImageToBuild {
  recipe: ImageRecipe;
  tags: ImageTags[];
}

export interface BuildOrder {
  builder: Builder;
  context: string;
  images: readonly ImageToBuild[];
  /** Whether to run the test stage, even if the cache has it. */
  gate: boolean;
}

/** The built images in the builder, untagged. */
export interface BuiltImage extends ImageToBuild {
  /** Ids in the order of `tags`. */
  imageIds: string[];
  evidence: TestStageEvidence;
}

/**
 * Builds every image for every platform; with `gate`, its test stage first. Tags nothing.
 * Spec: Client, Gate drive rules, rule 6.
 *
 * @throws BuilderFailed, Failure TEST_STAGE_REPLAYED
 */
export async function buildImages(order: BuildOrder, workbench: Workbench): Promise<BuiltImage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-image-'));
  try {
    const built: BuiltImage[] = [];
    for (const image of order.images) {
      built.push(await buildImage(order, image, { ...workbench, idFile: join(folder, 'id') }));
    }
    return built;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildImage(
  { builder, context, gate }: BuildOrder,
  image: ImageToBuild,
  workbench: Workbench & { idFile: string },
): Promise<BuiltImage> {
  const { recipe, tags } = image;
  const { idFile } = workbench;
  const evidence: TestStageEvidence[] = [];
  const imageIds: string[] = [];
  for (const { platform } of tags) {
    const about = { name: recipe.name, context, dockerfile: recipe.dockerfile, platform, idFile };
    for (const { what, command, forget } of stepsOf(builder, about, gate && recipe.hasTestStage)) {
      const progress = new TestStageProgress();
      await runBuilder(workbench, { what, command, read: (chunk) => progress.read(chunk) });
      evidence.push(progress.evidence());
      if (forget) await tryToRun(workbench, forget(await idIn(idFile)));
    }
    imageIds.push(await idIn(idFile));
  }
  const merged = mergedEvidence(evidence);
  if (isReplay(merged)) throw replayed(tags[0]?.references[0] ?? recipe.name);
  return { ...image, imageIds, evidence: merged };
}

async function idIn(idFile: string): Promise<string> {
  return (await readFile(idFile, 'utf8')).trim();
}

/** Runs a command whose failure does not fail the build. @throws the reason with which `interrupted` was aborted */
async function tryToRun(workbench: Workbench, command: BuilderCommand): Promise<void> {
  try {
    await runBuilder(workbench, { what: 'The removal of the tested image', command });
  } catch (error) {
    if (!(error instanceof BuilderFailed)) throw error;
  }
}

interface Step {
  what: string;
  command: BuilderCommand;
  /** Removes the image that the step leaves; absent if that image is needed or there is none. */
  forget?: Builder['forgetTest'];
}

/** The test stage is a separate step, because the build of an image that does not depend on it does not run it. */
function stepsOf(builder: Builder, order: ImageOrder & { name: string }, tested: boolean): Step[] {
  const { name, platform } = order;
  const image = platform === undefined ? name : `${name} for ${platform}`;
  const step = { what: `The build of ${image}`, command: builder.build(order) };
  if (!tested) return [step];
  const command = builder.test({ ...order, target: TEST_STAGE });
  return [{ what: `The test of ${image}`, command, forget: builder.forgetTest }, step];
}

/** Spec: Client, Errors, replayed test stage. */
export function replayed(image: string): Failure {
  return new Failure(
    'TEST_STAGE_REPLAYED',
    `The build of ${image} replayed its whole test stage from the cache: nothing was tested.`,
    { details: { image }, next: 'plat build --gate' },
  );
}
