import { delimiter, join, resolve } from 'node:path';
import { readVariables } from '@plat/environments';
import { keepWholeSettings } from './git-settings';
import { ownHome } from './own-account';
import { FORGE_AND_MODEL_TOKENS, isPassed, type PassedNames } from './secret-variables';

/** The values that the client reads from its variables; nothing else reads them. */
export interface Environment {
  /** The platform's folder for per-user configuration, including `plat`. */
  configFolder: string;
  /** The client's folder in the user's cache, where earlier releases kept the records of forwards. */
  cacheFolder: string;
  /** The hidden folder under the user's home for the state of environments. */
  stateFolder: string;
  /** Undefined: colour if stdout is a terminal. */
  colour?: boolean;
  /** Spec: Client, Variables read by the client, PLAT_FORCE_TTY. */
  forceTty: boolean;
  /** Spec: Client, Variables read by the client, PLAT_IDLE_PROBE: no output that waits for a person. */
  idleProbe: boolean;
  /** Whether a browser could be shown. */
  hasDisplay: boolean;
  /** All of them as given. Those that the contract names are read by `contractVariables`, which checks them. */
  variables: Variables;
}

/** The contract's variables that every command reads. */
export const OF_EVERY_COMMAND = ['PLAT_IDLE_PROBE', 'PLAT_FORCE_TTY'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the client's variables, in this place only. Any variable that is not read here is ignored. */
export function readEnvironment(
  variables: Variables = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  // Leaves out variables that are wrong, because their refusal is printed on the terminal that these values set up.
  const { values } = readVariables(variables, OF_EVERY_COMMAND);
  return {
    configFolder: join(userConfigFolder(variables, platform), 'plat'),
    cacheFolder: join(userCacheFolder(variables, platform), 'plat'),
    stateFolder: join(ownHome(variables), '.plat'),
    colour: colour(variables),
    forceTty: values.PLAT_FORCE_TTY ?? false,
    idleProbe: values.PLAT_IDLE_PROBE ?? false,
    hasDisplay:
      platform === 'darwin' ||
      platform === 'win32' ||
      Boolean(variables.DISPLAY ?? variables.WAYLAND_DISPLAY),
    variables,
  };
}

/** Spec: Client, Port-forward state file: the operating system's folder for user configuration. */
function userConfigFolder(variables: Variables, platform: NodeJS.Platform): string {
  const home = ownHome(variables);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return variables.APPDATA || join(home, 'AppData', 'Roaming');
  // The XDG base directory specification says that a relative path is invalid and ignored.
  return variables.XDG_CONFIG_HOME?.startsWith('/') ? variables.XDG_CONFIG_HOME : join(home, '.config');
}

/** Spec: Client, Versioning, rule 3: the operating system's folder for what can be made again. */
function userCacheFolder(variables: Variables, platform: NodeJS.Platform): string {
  const home = ownHome(variables);
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  if (platform === 'win32') return variables.LOCALAPPDATA || join(home, 'AppData', 'Local');
  return variables.XDG_CACHE_HOME?.startsWith('/') ? variables.XDG_CACHE_HOME : join(home, '.cache');
}

function colour(variables: Variables): boolean | undefined {
  if (variables.FORCE_COLOR !== undefined) {
    return variables.FORCE_COLOR !== '0' && variables.FORCE_COLOR !== 'false';
  }
  return variables.NO_COLOR ? false : undefined;
}

/**
 * Variables that would make git work in another repository, on another index or by other rules of paths than those of
 * its folder. Hooks and aliases of git start their programs with some of them. The list begins with those of `git
 * rev-parse --local-env-vars`, without the variables that hold settings: these are the user's, and git itself passes
 * them on to a submodule.
 */
const OF_ANOTHER_REPOSITORY = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_ATTR_SOURCE',
  'GIT_DEFAULT_HASH',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
];

/**
 * The variables of a program that runs on the user's behalf: the user's own, with the given changes, and without those
 * that make git leave the program's folder.
 */
export function childVariables(changes: Variables): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !OF_ANOTHER_REPOSITORY.includes(name));
  return { ...Object.fromEntries(own), ...changes };
}

/**
 * The variables of a program that may run the code of a branch that is not merged, such as a gate, a build or a job:
 * those of childVariables without the secrets, unless the person has named them. The given changes are plat's own.
 */
export function untrustedVariables(changes: Variables, passed: PassedNames): NodeJS.ProcessEnv {
  const own = Object.entries(childVariables({})).filter(([name, value = '']) =>
    isPassed([name, value], passed),
  );
  return { ...keepWholeSettings(Object.fromEntries(own)), ...changes };
}

/**
 * The variables of a process that outlives this one and reaches a cluster from another folder: the files of KUBECONFIG
 * are absolute, and secrets that it does not need are left out.
 * Those of a cloud's sign-in stay: a kubeconfig may name a program that needs them.
 *
 * @param folder the one that relative paths mean
 */
export function detachedVariables(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(childVariables({})).filter(([name]) => !FORGE_AND_MODEL_TOKENS.includes(name));
  const variables: NodeJS.ProcessEnv = Object.fromEntries(own);
  const { KUBECONFIG } = variables;
  if (!KUBECONFIG) return variables;
  const files = KUBECONFIG.split(delimiter).map((path) => (path === '' ? '' : resolve(folder, path)));
  return { ...variables, KUBECONFIG: files.join(delimiter) };
}

/** Makes this process use another folder as the user's home, because the build runs commands, but not as the user. */
export function useHome(folder: string): void {
  Object.assign(process.env, { HOME: folder, XDG_CONFIG_HOME: folder, APPDATA: folder });
}
