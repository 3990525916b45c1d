import { basename } from 'node:path';
import type { BuildPlan } from './build-plan';
import { TEST_STAGE } from './dockerfile-stages';

/** The tests of a gate that passed. */
export interface Tested {
  /** The test stages that ran. Empty for a script or a command, which plat does not look into. */
  stages: Array<{ image: string; stage: string }>;
  /** The images without a test stage: nothing in them was tested. */
  untestedImages: string[];
  /** The script or command that ran in the place of Dockerfiles. */
  program?: string;
}

/** The tests that a gate of the plan runs, by name. */
export function testsOf({ recipe }: BuildPlan): Tested {
  if (recipe.kind === 'script') return { stages: [], untestedImages: [], program: basename(recipe.script) };
  const names = (hasTestStage: boolean) =>
    recipe.images.filter((image) => image.hasTestStage === hasTestStage).map(({ name }) => name);
  const stages = names(true).map((image) => ({ image, stage: TEST_STAGE }));
  return { stages, untestedImages: names(false) };
}

/** `stage test of app, app-worker; none in app-docs`, or the program. */
export function testedText({ stages, untestedImages, program }: Tested): string {
  if (program !== undefined) return program;
  const ran = `stage ${TEST_STAGE} of ${stages.map(({ image }) => image).join(', ')}`;
  return untestedImages.length === 0 ? ran : `${ran}; none in ${untestedImages.join(', ')}`;
}
