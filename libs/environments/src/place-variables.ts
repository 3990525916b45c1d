import { canonicalRepository } from '@plat/remote';
import type { EnvConfig } from './config/env-config';
import { namespaceOf } from './names';
import { BLOCK_START_DEFAULT, portBlock } from './port-blocks';
import type { PodVariable } from './variable';
import {
  ABSOLUTE_PATH,
  GIT_REF,
  GIT_REMOTE,
  NAME,
  oneOf,
  PORT,
  SSHD_PORT,
  STRING,
  TRUE_OR_FALSE,
} from './variable-type';
import { ENVIRONMENT_TYPES } from './words';

/** The context of every pod. Spec: Client, Variables set in a runtime pod, PLAT_KUBERNETES_CONTEXT. */
export const IN_CLUSTER = 'in-cluster';
const CHECKOUTS = '/home/erun/git';
const OUTPUTS = '/home/erun/.erun/outputs';
const SSHD_PORT_DEFAULT = 22;

/** The variables that say what the pod is and where its parts are. Spec: Client, Variables set in a runtime pod. */
export const PLACE_VARIABLES = {
  PLAT_REPO_PATH: {
    type: ABSOLUTE_PATH,
    default: '/home/erun/git/<repo>',
    set: 'if the name of the repository resolves: from `repoUrl`, otherwise from `localRepoPath`',
    from: ['repoUrl', 'localRepoPath'],
    readBy: ['plat', 'plat runtime boot'],
    purpose: "The project's checkout in the pod, from which the project's root is determined",
    value: ({ config }) => {
      const repository = repositoryName(config);
      return repository === undefined ? undefined : `${CHECKOUTS}/${repository}`;
    },
  },
  PLAT_OUTPUTS_DIR: {
    type: ABSOLUTE_PATH,
    default: OUTPUTS,
    set: 'always',
    from: [],
    readBy: ['plat runtime boot', 'the coding agent', 'plat doctor'],
    purpose: 'Where an agent puts what it delivers; it persists across restarts of the pod',
    value: () => OUTPUTS,
  },
  PLAT_REPO_REMOTE: {
    type: TRUE_OR_FALSE,
    default: 'unset on a host, true in a pod',
    set: 'for the types remote-agent and runtime',
    from: ['type'],
    readBy: ['plat runtime boot'],
    purpose: 'Marks a runtime pod',
    value: ({ config }) => (config.type === 'local-agent' ? undefined : 'true'),
  },
  PLAT_REPO_URL: {
    type: GIT_REMOTE,
    default: 'unset',
    set: 'if `mutableSource` is true and `repoUrl` is given',
    from: ['mutableSource', 'repoUrl'],
    readBy: ['plat runtime boot'],
    purpose: 'Remote that the first boot clones into PLAT_REPO_PATH, into an empty worktree only',
    value: ({ config }) => clonedRemote(config),
  },
  PLAT_REPO_REF: {
    type: GIT_REF,
    default: 'unset',
    set: 'with PLAT_REPO_URL, if `runtimeVersion` is given',
    from: ['runtimeVersion'],
    readBy: ['plat runtime boot'],
    purpose:
      'Checked out after the clone: the tag `v<version>`. If it does not resolve, the default branch stays',
    value: ({ config }) =>
      clonedRemote(config) === undefined || config.runtimeVersion === undefined
        ? undefined
        : `v${config.runtimeVersion}`,
  },
  PLAT_ENV_TYPE: {
    type: oneOf(ENVIRONMENT_TYPES),
    default: 'set in the pod',
    set: 'always',
    from: ['type'],
    readBy: ['plat runtime boot', 'plat doctor'],
    purpose: "The environment's resolved type",
    value: ({ config }) => config.type,
  },
  PLAT_TENANT: {
    type: NAME,
    default: 'required',
    set: 'always',
    from: [],
    readBy: ['plat', 'plat runtime boot'],
    purpose: 'Name of the tenant',
    value: ({ name }) => name.tenant,
  },
  PLAT_ENVIRONMENT: {
    type: NAME,
    default: 'required',
    set: 'always',
    from: [],
    readBy: ['plat', 'plat runtime boot'],
    purpose: 'Name of the environment',
    value: ({ name }) => name.environment,
  },
  PLAT_KUBERNETES_CONTEXT: {
    type: STRING,
    default: 'in-cluster',
    set: 'always',
    from: [],
    readBy: ['plat runtime boot', 'plat doctor'],
    purpose: 'Always `in-cluster` within the pod',
    value: () => IN_CLUSTER,
  },
  PLAT_NAMESPACE: {
    type: STRING,
    default: '<tenant>-<env>',
    set: 'always',
    from: [],
    readBy: ['plat runtime boot', 'plat idle watch'],
    purpose: "The pod's namespace",
    value: ({ name }) => namespaceOf(name),
  },
  PLAT_MCP_PORT: {
    type: PORT,
    default: String(BLOCK_START_DEFAULT),
    set: 'always',
    from: ['localPortRangeStart'],
    readBy: ['plat', 'plat runtime boot'],
    purpose: "Where the MCP server listens: the first port of the environment's block",
    value: ({ config }) => String(portBlock(config.localPortRangeStart ?? BLOCK_START_DEFAULT).mcp),
  },
  PLAT_SSHD_PORT: {
    type: SSHD_PORT,
    default: String(SSHD_PORT_DEFAULT),
    set: "always: the block's port if `localPortRangeStart` is given, otherwise 22",
    from: ['localPortRangeStart'],
    readBy: ['plat runtime boot'],
    purpose: 'Where the SSH server in the pod listens',
    value: ({ config: { localPortRangeStart } }) =>
      String(localPortRangeStart === undefined ? SSHD_PORT_DEFAULT : portBlock(localPortRangeStart).sshd),
  },
} as const satisfies Record<string, PodVariable>;

/** The remote that the first boot clones. */
function clonedRemote({ mutableSource, repoUrl }: EnvConfig): string | undefined {
  return mutableSource === true ? repoUrl : undefined;
}

function repositoryName({ repoUrl, localRepoPath }: EnvConfig): string | undefined {
  const path = repoUrl === undefined ? localRepoPath : canonicalRepository(repoUrl);
  return path?.split(/[/\\]/).findLast((part) => part !== '');
}
