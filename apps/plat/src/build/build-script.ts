import type { BuildPlan } from './build-plan';
import type { BuilderCommand } from './builder';
import { replayed } from './built-images';
import type { Recipe } from './recipe';
import { runBuilder, type Workbench } from './run-builder';
import { isReplay, type TestStageEvidence, TestStageProgress } from './test-stage-replay';

type Script = Extract<Recipe, { kind: 'script' }>;

/**
 * The command of a build script, which builds and pushes by itself. It gets the build's options in variables. One of
 * them makes BuildKit print plain progress, from which a replay is read.
 */
export function scriptCommand(plan: BuildPlan, { script, image }: Script): BuilderCommand {
  return {
    argv: [script],
    variables: {
      PLAT_BUILD_VERSION: plan.version,
      PLAT_BUILD_IMAGE: image,
      PLAT_BUILD_GATE: String(plan.gate),
      PLAT_BUILD_RELEASE: String(plan.release),
      PLAT_BUILD_PLATFORMS: plan.platforms.join(','),
      PLAT_BUILD_REGISTRIES: plan.registries.map(({ registry }) => registry).join(','),
      BUILDKIT_PROGRESS: 'plain',
    },
  };
}

/** @throws BuilderFailed, Failure TEST_STAGE_REPLAYED */
export async function runBuildScript(
  plan: BuildPlan,
  script: Script,
  workbench: Workbench,
): Promise<TestStageEvidence> {
  const progress = new TestStageProgress();
  const command = scriptCommand(plan, script);
  const read = (chunk: string) => progress.read(chunk);
  await runBuilder(workbench, { what: `The build script of ${script.image}`, command, read });
  const evidence = progress.evidence();
  if (isReplay(evidence)) throw replayed(`${script.image}:${plan.version}`);
  return evidence;
}
