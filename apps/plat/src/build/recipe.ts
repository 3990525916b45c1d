import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { stageNames, TEST_STAGE } from './dockerfile-stages';
import type { Project } from './project';

const BUILD_SCRIPT = 'build.sh';
const DOCKERFILE = 'Dockerfile';
const DOCKERFILES_FOLDER = 'docker';

/** An image of a project, by its Dockerfile. */
export interface ImageRecipe {
  /** Name without registry and tag. */
  name: string;
  /** Absolute path. */
  dockerfile: string;
  hasTestStage: boolean;
}

/** How a project is built: by its own script, or by its Dockerfiles. */
export type Recipe =
  { kind: 'script'; script: string; image: string } | { kind: 'images'; images: ImageRecipe[] };

export interface RecipeInput {
  project: Project;
  /** A named Dockerfile, which is then the only one. */
  file?: string;
  /** Name of the image; default: the project's. */
  image?: string;
  scriptDisabled: boolean;
}

/**
 * Finds the recipe at the project's root, the first of: an executable `build.sh`, unless scripts are disabled; the
 * `Dockerfile`, whose image has the project's name, together with each `docker/<part>/Dockerfile`, whose image is named
 * `<project>-<part>`.
 *
 * @throws Failure NOTHING_TO_BUILD, NO_SUCH_DOCKERFILE
 */
export async function discoverRecipe(input: RecipeInput): Promise<Recipe> {
  const { project, file, scriptDisabled } = input;
  const name = input.image ?? project.name;
  if (file !== undefined) {
    return { kind: 'images', images: [await namedRecipe(resolve(project.folder, file), name)] };
  }
  const script = join(project.folder, BUILD_SCRIPT);
  if (!scriptDisabled && (await isExecutable(script))) return { kind: 'script', script, image: name };
  const parts = await readdir(join(project.folder, DOCKERFILES_FOLDER)).catch(() => []);
  const candidates = [
    { name, dockerfile: join(project.folder, DOCKERFILE) },
    ...parts.sort().map((part) => ({
      name: `${name}-${part.toLowerCase()}`,
      dockerfile: join(project.folder, DOCKERFILES_FOLDER, part, DOCKERFILE),
    })),
  ];
  const images = (await Promise.all(candidates.map(readRecipe))).filter((image) => image !== undefined);
  if (images.length > 0) return { kind: 'images', images };
  throw nothingToBuild(project, scriptDisabled);
}

async function readRecipe(about: Omit<ImageRecipe, 'hasTestStage'>): Promise<ImageRecipe | undefined> {
  const text = await readFile(about.dockerfile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return undefined;
    throw error;
  });
  return text === undefined ? undefined : { ...about, hasTestStage: stageNames(text).includes(TEST_STAGE) };
}

async function namedRecipe(dockerfile: string, name: string): Promise<ImageRecipe> {
  const recipe = await readRecipe({ name, dockerfile });
  if (recipe) return recipe;
  throw new Failure('NO_SUCH_DOCKERFILE', `There is no Dockerfile ${dockerfile}.`, {
    details: { path: dockerfile },
    next: 'correct --file, which is relative to the root of the project',
  });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function nothingToBuild({ folder }: Project, scriptDisabled: boolean): Failure {
  const script = scriptDisabled ? '' : ` and no executable ${BUILD_SCRIPT}`;
  return new Failure('NOTHING_TO_BUILD', `${folder} has no ${DOCKERFILE}${script}.`, {
    details: { folder },
    next: nextStep('add a', [DOCKERFILE], 'at the root of the project, or name one with --file'),
  });
}
