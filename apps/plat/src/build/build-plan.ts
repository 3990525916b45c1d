import type { BuildVariables } from '../config/build-variables';
import type { Environment } from '../environment';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { ImageToBuild } from './built-images';
import { TEST_STAGE } from './dockerfile-stages';
import { imageIndexes, imageTags } from './image-tags';
import { describeCheckout, findProject, type Project } from './project';
import type { Publication } from './publish';
import { discoverRecipe, type ImageRecipe, type Recipe } from './recipe';
import { buildRegistries, type Registry } from './registries';
import { readVersion, snapshotOf } from './version-file';

/** A request for a build. */
export interface BuildRequest {
  /** Where to search the project. */
  folder: string;
  /** The checkout to build, if the caller has opened it; undefined: the one of the folder. */
  git?: Git;
  environment: Environment;
  variables: BuildVariables;
  /** Whether to run the test stage, even if the cache has it. */
  gate: boolean;
  /** Whether to build VERSION itself instead of a snapshot of it. */
  release: boolean;
  /** Empty: the builder's own platform. */
  platforms: readonly string[];
  /** Tags besides the version. */
  tags: readonly string[];
  image?: string;
  file?: string;
  /** Whether the file has to be the project's. */
  fileInside?: boolean;
  /** `local`: tags on this machine alone. `nothing`: no tags at all. */
  publish: 'registries' | 'local' | 'nothing';
  now: Date;
}

/** The planned result of a build. Planning runs nothing. */
export interface BuildPlan {
  project: Project;
  version: string;
  gate: boolean;
  release: boolean;
  platforms: readonly string[];
  /** The registries to push to. */
  registries: Registry[];
  recipe: Recipe;
  /** The images of a recipe with Dockerfiles. */
  images: ImageToBuild[];
  publication: Publication;
}

/**
 * Reads the project and plans the build. Runs nothing. Rule G8.
 *
 * @throws Failure NO_VERSION, INVALID_VERSION, NOTHING_TO_BUILD, NO_SUCH_DOCKERFILE, UNREADABLE_DOCKERFILE,
 * NO_TEST_STAGE, INVALID_REGISTRIES
 */
export async function planBuild(request: BuildRequest): Promise<BuildPlan> {
  const { environment, variables, gate, release, platforms, now } = request;
  const project = request.git
    ? await describeCheckout(request.git)
    : await findProject(request.folder, variables.repositoryFolder);
  const { scriptDisabled } = variables;
  const { file, fileInside, image } = request;
  const asked = { file, fileInside, image };
  const recipe = await discoverRecipe({ ...asked, project, scriptDisabled });
  if (gate) requireTestStage(recipe);
  const base = await readVersion(project.folder);
  const version = release ? base : snapshotOf(base, now);
  const registries = request.publish === 'registries' ? await buildRegistries(environment, variables) : [];
  const found = recipe.kind === 'images' ? recipe.images : [];
  const named = found.map((image) => namedImage(request, image, { version, registries }));
  const images = named.map(({ recipe: of, tags }) => ({ recipe: of, tags }));
  const publication = {
    references:
      registries.length === 0
        ? []
        : images.flatMap(({ tags }) => tags.flatMap(({ references }) => references)),
    indexes: named.flatMap(({ indexes }) => indexes),
  };
  return { project, version, gate, release, platforms, registries, recipe, images, publication };
}

function namedImage(
  { tags, platforms, publish }: BuildRequest,
  recipe: ImageRecipe,
  { version, registries }: Pick<BuildPlan, 'version' | 'registries'>,
) {
  const order = {
    image: recipe.name,
    registries: registries.map(({ registry }) => registry),
    tags: publish === 'nothing' ? [] : [...new Set([version, ...tags])],
    platforms,
  };
  return { recipe, tags: imageTags(order), indexes: imageIndexes(order) };
}

/** Without a test stage, a gate would pass everything; a Dockerfile that is not understood may hide one. */
function requireTestStage(recipe: Recipe): void {
  if (recipe.kind === 'script') return;
  const unreadable = recipe.images.find((image) => image.unreadable !== undefined);
  if (unreadable) throw unreadableDockerfile(unreadable);
  if (recipe.images.some(({ hasTestStage }) => hasTestStage)) return;
  const dockerfiles = recipe.images.map(({ dockerfile }) => dockerfile);
  throw new Failure('NO_TEST_STAGE', `No stage of ${dockerfiles.join(', ')} is named ${TEST_STAGE}.`, {
    details: { dockerfiles },
    next: nextStep('add a stage that runs the tests: FROM <stage> AS', [TEST_STAGE]),
  });
}

function unreadableDockerfile({ dockerfile, unreadable }: ImageRecipe): Failure {
  return new Failure('UNREADABLE_DOCKERFILE', `The stages of ${dockerfile} cannot be read: ${unreadable}.`, {
    details: { dockerfile, reason: unreadable },
    next: 'correct the Dockerfile, or name the one to gate with --file',
  });
}
