import { homedir } from 'node:os';
import { join } from 'node:path';

/** The variables that a build reads: those of its environment, and those of the container tools. */
export interface BuildVariables {
  /** Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH. */
  repositoryFolder?: string;
  /** The JSON text as given. Spec: Client, Variables set in a runtime pod, PLAT_CONTAINER_REGISTRIES. */
  registries?: string;
  /** Spec: Client, Variables set in a runtime pod, PLAT_DISABLE_BUILD_SCRIPT. */
  scriptDisabled: boolean;
  /** The folder of docker's configuration. */
  dockerFolder: string;
}

/** The true values of Go's ParseBool, which the chart's values follow. */
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables. An empty one counts as unset. */
export function readBuildVariables(variables: Variables = process.env): BuildVariables {
  const { PLAT_REPO_PATH, PLAT_CONTAINER_REGISTRIES, PLAT_DISABLE_BUILD_SCRIPT, DOCKER_CONFIG, HOME } =
    variables;
  return {
    repositoryFolder: PLAT_REPO_PATH || undefined,
    registries: PLAT_CONTAINER_REGISTRIES || undefined,
    scriptDisabled: TRUE.includes(PLAT_DISABLE_BUILD_SCRIPT ?? ''),
    dockerFolder: DOCKER_CONFIG || join(HOME || homedir(), '.docker'),
  };
}
