import { constants, lstatSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FileRefused, readRegularFile, resolveInside } from '@plat/local';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { UnreadableDockerfile } from './dockerfile-instructions';
import { stageNames, TEST_STAGE } from './dockerfile-stages';
import type { Project } from './project';

const BUILD_SCRIPT = 'build.sh';
const DOCKERFILE = 'Dockerfile';
const DOCKERFILES_FOLDER = 'docker';
/** More than any Dockerfile that a person writes. */
const DOCKERFILE_BYTES_MAX = 1024 * 1024;
/** Most entries of the folder of parts. A branch needs no more than one blob for many thousand of the largest Dockerfiles. */
const PARTS_MAX = 1000;
/** Most bytes of all Dockerfiles together. The client reads a mebibyte in half a second. */
const DOCKERFILES_BYTES_MAX = 8 * DOCKERFILE_BYTES_MAX;

const FEWER = nextStep('take Dockerfiles out of the folder, or name the one to build with --file');
const CHMOD = 'make it executable: chmod +x build.sh && git add --chmod=+x build.sh, and commit that';
/** For a project that is tested otherwise. Rule H3. */
const GATE_HINT =
  '; or name the command that tests it: plat drive --gate-command <command>, and once for all as command in the block gate of .plat/config.yaml on the target branch';

/** An image of a project, by its Dockerfile. */
export interface ImageRecipe {
  /** Name without registry and tag. */
  name: string;
  /** Absolute path. */
  dockerfile: string;
  hasTestStage: boolean;
  /** It is no file of the project. */
  outside?: true;
  /** Why its stages could not be read; a gate then cannot know whether there is a test stage. */
  unreadable?: string;
}

/** How a project is built: by its own script, or by its Dockerfiles. */
export type Recipe =
  { kind: 'script'; script: string; image: string } | { kind: 'images'; images: ImageRecipe[] };

export interface RecipeInput {
  project: Project;
  /** A named Dockerfile, which is then the only one. */
  file?: string;
  /** Whether the named Dockerfile has to be a file of the project. */
  fileInside?: boolean;
  /** Name of the image; default: the project's. */
  image?: string;
  scriptDisabled: boolean;
}

/**
 * Finds the recipe at the project's root, the first of: an executable `build.sh`, unless scripts are disabled; the
 * `Dockerfile`, whose image has the project's name, together with each `docker/<part>/Dockerfile`, whose image is named
 * `<project>-<part>`.
 *
 * Links of the project may lead to other files of it, and not out of it.
 *
 * @throws Failure NOTHING_TO_BUILD, NO_SUCH_DOCKERFILE, BUILD_FILE_REFUSED
 */
export async function discoverRecipe(input: RecipeInput): Promise<Recipe> {
  const { project, file, scriptDisabled } = input;
  const name = input.image ?? project.name;
  if (file !== undefined) {
    const dockerfile = resolve(project.folder, file);
    return { kind: 'images', images: [namedRecipe({ name, dockerfile }, input)] };
  }
  const script = join(project.folder, BUILD_SCRIPT);
  if (!scriptDisabled && (await isExecutable(script, project.folder))) {
    return { kind: 'script', script, image: name };
  }
  const images = await discoverImages(project, name);
  if (images.length > 0) return { kind: 'images', images };
  throw nothingToBuild(project, { scriptDisabled, hasScript: isThere(script) });
}

/** The images of the Dockerfile at the root, and of that of each part. @throws Failure BUILD_FILE_REFUSED */
async function discoverImages({ folder }: Project, name: string): Promise<ImageRecipe[]> {
  const partsFolder = join(folder, DOCKERFILES_FOLDER);
  const parts = await readdir(partsFolder).catch(noFolder);
  if (parts.length > PARTS_MAX) throw refused(partsFolder, `has more than ${PARTS_MAX} entries`, FEWER);
  const candidates = [
    { name, dockerfile: join(folder, DOCKERFILE) },
    ...parts.sort().map((part) => ({
      name: `${name}-${part.toLowerCase()}`,
      dockerfile: join(partsFolder, part, DOCKERFILE),
    })),
  ];
  const images: ImageRecipe[] = [];
  let bytes = 0;
  for (const candidate of candidates) {
    const content = readDockerfile(candidate.dockerfile, folder);
    if (content === undefined) continue;
    bytes += content.length;
    if (bytes > DOCKERFILES_BYTES_MAX) {
      throw refused(partsFolder, `has Dockerfiles of more than ${DOCKERFILES_BYTES_MAX} bytes`, FEWER);
    }
    images.push({ ...candidate, ...readStages(content.toString('utf8')) });
  }
  return images;
}

function readStages(dockerfile: string): Pick<ImageRecipe, 'hasTestStage' | 'unreadable'> {
  try {
    return { hasTestStage: stageNames(dockerfile).includes(TEST_STAGE) };
  } catch (error) {
    if (!(error instanceof UnreadableDockerfile)) throw error;
    return { hasTestStage: false, unreadable: error.message };
  }
}

function noFolder(error: NodeJS.ErrnoException): string[] {
  if (['ENOENT', 'ENOTDIR'].includes(error.code ?? '')) return [];
  throw error;
}

/**
 * @param inside the folder that it has to be in; undefined for a file that the person names
 * @returns undefined if there is none, or a folder in its place
 */
function readDockerfile(path: string, inside: string | undefined): Buffer | undefined {
  try {
    return readRegularFile(path, { bytesMax: DOCKERFILE_BYTES_MAX, inside });
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.fault === 'absent' || error.fault === 'folder') return undefined;
    throw refused(path, error.message);
  }
}

function namedRecipe(
  about: Pick<ImageRecipe, 'name' | 'dockerfile'>,
  { project, fileInside = false }: RecipeInput,
): ImageRecipe {
  const { dockerfile } = about;
  const content = readDockerfile(dockerfile, fileInside ? project.folder : undefined);
  if (content !== undefined) {
    const recipe = { ...about, ...readStages(content.toString('utf8')) };
    return isOutside(dockerfile, project.folder) ? { ...recipe, outside: true } : recipe;
  }
  throw new Failure('NO_SUCH_DOCKERFILE', `There is no Dockerfile ${dockerfile}.`, {
    details: { path: dockerfile },
    next: 'correct --file, which is relative to the root of the project',
  });
}

function isOutside(path: string, folder: string): boolean {
  try {
    resolveInside(path, { inside: folder });
    return false;
  } catch (error) {
    return error instanceof FileRefused && error.fault === 'outside';
  }
}

async function isExecutable(path: string, folder: string): Promise<boolean> {
  try {
    const place = resolveInside(path, { inside: folder });
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch (error) {
    if (error instanceof FileRefused && error.fault !== 'absent') throw refused(path, error.message);
    return false;
  }
}

/** @param why the end of a sentence that begins with the path */
function refused(
  path: string,
  why: string,
  next: NextStep = nextStep('make', [path], 'a file of the project'),
): Failure {
  return new Failure('BUILD_FILE_REFUSED', `${path} ${why}.`, { details: { path }, next });
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

interface MissingRecipe {
  scriptDisabled: boolean;
  /** Whether there is a script that is not executable. */
  hasScript: boolean;
}

function nothingToBuild({ folder }: Project, { scriptDisabled, hasScript }: MissingRecipe): Failure {
  const withoutBit = hasScript && !scriptDisabled;
  const script = scriptDisabled
    ? ''
    : withoutBit
      ? `, and its ${BUILD_SCRIPT} is not executable`
      : ` and no executable ${BUILD_SCRIPT}`;
  return new Failure('NOTHING_TO_BUILD', `${folder} has no ${DOCKERFILE}${script}.`, {
    details: { folder },
    next: nextStep(
      withoutBit ? CHMOD : 'add a Dockerfile at the root of the project, or name one with --file',
      GATE_HINT,
    ),
  });
}
