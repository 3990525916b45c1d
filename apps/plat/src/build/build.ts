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

/** What a build has made. */
export interface Built {
  version: string;
  commitId?: string;
  gate: boolean;
  release: boolean;
  /** As they were asked for; empty: the builder's own. */
  platforms: readonly string[];
  /** Every name that an image has on this machine; those of a build script are its own affair. */
  images: string[];
  /** Steps of the test stage, over all images and platforms. */
  testStage: TestStageEvidence;
  /** Whether the whole test stage came from the cache: such a build is refused. */
  replay: boolean;
  /** Every name that was pushed. */
  pushed: string[];
}

export interface BuildTools {
  workbench: Workbench;
  /** Asked for a recipe of images alone. @throws Failure NO_BUILDER */
  builder(): Promise<Builder>;
  /** The operator's token for the platform's registry. @throws Failure REGISTRY_NEEDS_SIGN_IN */
  token(): Promise<string>;
  /** Where docker's own configuration lies. */
  dockerFolder: string;
}

/**
 * Builds, refuses what tested nothing, tags and pushes, in this order: what fails or is stopped leaves no tag of its
 * own and nothing pushed. Spec: Client, Gate drive rules, rule 6; Decision G8.
 *
 * @throws BuilderFailed, Failure TEST_STAGE_REPLAYED, NO_BUILDER, REGISTRY_NEEDS_SIGN_IN, REGISTRY_DENIED,
 * REGISTRY_UNREACHABLE, PUSH_FAILED, INTERRUPTED
 */
export async function build(plan: BuildPlan, tools: BuildTools): Promise<Built> {
  const { project, version, gate, release, platforms, recipe, registries } = plan;
  await removeLeftSignIns();
  const platformRegistry = registries.find(({ isPlatforms }) => isPlatforms);
  // Before a long build, not after it.
  if (platformRegistry) await tools.token();
  const about = { version, commitId: project.commitId, gate, release, platforms };
  if (recipe.kind === 'script') {
    const testStage = await signedIn(tools, platformRegistry, (workbench) =>
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
    await signedIn(tools, registry, (workbench) => publish(workbench, commands, registry));
  }
  const { references, indexes } = plan.publication;
  return [...references, ...indexes.map(({ reference }) => reference)];
}

/** For the platform's own registry, with the operator's token; for any other as the user has signed in. */
async function signedIn<T>(
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
