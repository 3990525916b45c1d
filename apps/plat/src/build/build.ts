import type { BuildPlan } from './build-plan';
import { runBuildScript } from './build-script';
import type { Builder } from './builder';
import { buildImages, type BuiltImage } from './built-images';
import { removeLeftSignIns } from './left-sign-ins';
import { partFor, publish, publishCommands } from './publish';
import { hostOf, type Registry } from './registries';
import { requireBearerToken, withRegistrySignIn } from './registry-sign-in';
import { runBuilder, type Workbench } from './run-builder';
import { isReplay, mergedEvidence, type TestStageEvidence } from './test-stage-replay';
import { type Tested, testsOf } from './tested';

/** The result of a build. */
export interface Built {
  version: string;
  commitId?: string;
  gate: boolean;
  release: boolean;
  /** As requested; empty: the builder's own platform. */
  platforms: readonly string[];
  /** Every name of an image on this machine. Empty for a build script, which names its images itself. */
  images: string[];
  /** Steps of the test stage, of all images and platforms. */
  testStage: TestStageEvidence;
  /** The tests that ran; absent without `gate`, which alone runs each of them. */
  tested?: Tested;
  /** Whether the whole test stage came from the cache. Such a build is refused. */
  replay: boolean;
  /** Every name that was pushed. */
  pushed: string[];
}

export interface BuildTools {
  workbench: Workbench;
  /** Chooses the builder; called for a recipe of images only. @throws Failure NO_BUILDER */
  builder(): Promise<Builder>;
  /** The operator's token for the platform's registry. @throws Failure REGISTRY_NEEDS_SIGN_IN */
  token(): Promise<string>;
  /** The folder of docker's own configuration. */
  dockerFolder: string;
  /** Whether a build script gets the sign-in to the platform's registry. It may be code that no one has merged. Default no. */
  signInScript?: boolean | undefined;
}

/**
 * Builds, refuses a build that tested nothing, tags and pushes, in this order, so that a build that fails or is stopped
 * leaves no tag and pushes nothing. Spec: Client, Gate drive rules, rule 6; Rule G8.
 *
 * @throws BuilderFailed, Failure TEST_STAGE_REPLAYED, NO_BUILDER, REGISTRY_NEEDS_SIGN_IN, REGISTRY_DENIED,
 * REGISTRY_UNREACHABLE, PUSH_FAILED, INTERRUPTED
 */
export async function build(plan: BuildPlan, tools: BuildTools): Promise<Built> {
  const { project, version, gate, release, platforms, recipe, registries } = plan;
  await removeLeftSignIns();
  const platformRegistry = registries.find(({ isPlatforms }) => isPlatforms);
  const isSignedIn = recipe.kind === 'images' || tools.signInScript === true;
  // Checked before a long build instead of after it.
  if (platformRegistry && isSignedIn) await tools.token();
  const tested = gate ? { tested: testsOf(plan) } : {};
  const about = { version, commitId: project.commitId, gate, release, platforms, ...tested };
  if (recipe.kind === 'script') {
    const testStage = await runWithSignIn(tools, isSignedIn ? platformRegistry : undefined, (workbench) =>
      runBuildScript(plan, recipe, workbench),
    );
    return { ...about, images: [], testStage, replay: isReplay(testStage), pushed: [] };
  }
  const builder = await tools.builder();
  if (platformRegistry) requireBearerToken(builder, platformRegistry);
  const order = { builder, context: project.folder, images: plan.images, gate };
  const built = await buildImages(order, tools.workbench);
  const images = await tagAll(builder, built, tools.workbench);
  const pushed = await pushAll(builder, plan, tools);
  const testStage = mergedEvidence(built.map(({ evidence }) => evidence));
  return { ...about, images, testStage, replay: isReplay(testStage), pushed };
}

async function tagAll(
  builder: Builder,
  built: readonly BuiltImage[],
  workbench: Workbench,
): Promise<string[]> {
  const names: string[] = [];
  for (const { recipe, tags, imageIds } of built) {
    for (const [at, { references }] of tags.entries()) {
      for (const reference of references) {
        const command = builder.tag(imageIds[at] ?? '', reference);
        await runBuilder(workbench, { what: `The tagging of ${recipe.name}`, command });
        names.push(reference);
      }
    }
  }
  return names;
}

async function pushAll(builder: Builder, plan: BuildPlan, tools: BuildTools): Promise<string[]> {
  for (const registry of plan.registries) {
    const commands = publishCommands(builder, partFor(registry, plan.publication));
    await runWithSignIn(tools, registry, (workbench) => publish(workbench, commands, registry));
  }
  const { references, indexes } = plan.publication;
  return [...references, ...indexes.map(({ reference }) => reference)];
}

/** Runs a push, or a script that a person has allowed to push, with the sign-in: the operator's token for the platform's own registry, the user's own for any other. */
async function runWithSignIn<T>(
  { workbench, token, dockerFolder }: BuildTools,
  registry: Registry | undefined,
  work: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  if (registry?.isPlatforms !== true) return work(workbench);
  const signIn = { host: hostOf(registry.registry), token: await token(), dockerFolder };
  return withRegistrySignIn(signIn, (folder) =>
    work({ ...workbench, variables: { ...workbench.variables, DOCKER_CONFIG: folder } }),
  );
}
