import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, gitIn } from './git';

/** git on the objects of a repository, without its refs, and without any settings or attributes of a person. */
export interface BareGit extends Git {
  /** The same with a new index of its own. */
  withIndex(): Git;
}

/** The properties of a repository whose objects a bare repository uses. */
interface ObjectStore {
  folder: string;
  format: string;
  /** Undefined: files have the permissions of the process. */
  sharedRepository?: string;
}

const stores = new WeakMap<Git, Promise<ObjectStore>>();

/**
 * Runs work in a bare repository that has no settings, attributes, refs, grafts or replacements, and that reads and
 * writes the objects of the given one. The repository is removed afterwards; objects that were made stay where they are.
 *
 * @throws Failure GIT_FAILED
 */
export async function inBareRepository<T>(git: Git, work: (bare: BareGit) => Promise<T>): Promise<T> {
  const reading = stores.get(git) ?? readStore(git);
  stores.set(git, reading);
  const store = await reading;
  const folder = await mkdtemp(join(tmpdir(), 'plat-merge-'));
  try {
    await makeRepository(folder, store);
    const variables = variablesFor(folder, store);
    const withIndex = () =>
      gitIn(git.folder, git.interrupted, { ...variables, GIT_INDEX_FILE: join(folder, 'index') });
    return await work({ ...gitIn(git.folder, git.interrupted, variables), withIndex });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readStore(git: Git): Promise<ObjectStore> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--show-object-format'];
  const [said, shared] = [await git.run(asked), await git.try(['config', '--get', 'core.sharedRepository'])];
  const lines = said.trimEnd().split('\n');
  const format = lines.pop() ?? '';
  const store = { folder: lines.join('\n'), format };
  return shared.code === 0 ? { ...store, sharedRepository: shared.stdout.trim() } : store;
}

async function makeRepository(folder: string, { format, sharedRepository }: ObjectStore): Promise<void> {
  const settings = ['[core]', '\trepositoryFormatVersion = 1', '\tbare = true'];
  if (sharedRepository !== undefined) settings.push(`\tsharedRepository = ${sharedRepository}`);
  settings.push('[extensions]', `\tobjectFormat = ${format}`, '');
  await mkdir(join(folder, 'refs'));
  await mkdir(join(folder, 'objects'));
  await writeFile(join(folder, 'config'), settings.join('\n'));
  // A branch that does not exist, so that no git reads attributes of a commit.
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
}

const variablesFor = (folder: string, store: ObjectStore): Record<string, string | undefined> => ({
  GIT_DIR: folder,
  GIT_OBJECT_DIRECTORY: store.folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_ATTR_NOSYSTEM: '1',
  // git reads attributes in this folder even if no setting names it.
  XDG_CONFIG_HOME: folder,
  GIT_DIFF_OPTS: undefined,
  GIT_EXTERNAL_DIFF: undefined,
  // At a higher verbosity git also names the files of merges that it makes of several merge bases.
  GIT_MERGE_VERBOSITY: '2',
});
