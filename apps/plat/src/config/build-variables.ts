import { homedir } from 'node:os';
import { join } from 'node:path';

/** What a build takes from the variables of its environment, and of the container tools as those define them. */
export interface BuildVariables {
  /** Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH. */
  repositoryFolder?: string;
  /** JSON as it was given. Spec: Client, Variables set in a runtime pod, PLAT_CONTAINER_REGISTRIES. */
  registries?: string;
  /** Spec: Client, Variables set in a runtime pod, PLAT_DISABLE_BUILD_SCRIPT. */
  scriptDisabled: boolean;
  /** Where docker keeps its configuration. */
  dockerFolder: string;
}

/** Go's ParseBool, which the chart's values go by. */
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Unset and empty are the same. */
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
