import type { Variable } from './variable';
import { ABSOLUTE_PATH, literal, STRING, UUID_TYPE } from './variable-type';

/** Spec: Client, Variables of a host-side orchestrator session. */
export const ORCHESTRATOR_VARIABLES = {
  PLAT_ORCHESTRATOR_ID: {
    type: STRING,
    default: 'unset',
    set: 'in a session that has an id',
    readBy: ['plat', "the session's hooks"],
    purpose:
      "Key of the list `orchestrators` of the user's configuration, and name of the resume note. Empty: a transient session",
  },
  PLAT_ORCHESTRATOR_LAUNCH: {
    type: UUID_TYPE,
    default: 'unset',
    set: 'at each launch',
    readBy: ["the session's hooks"],
    purpose: 'Nonce of the launch, which the hooks put on the conversation id that they report',
  },
  PLAT_OUTPUTS_DIR: {
    type: ABSOLUTE_PATH,
    default: 'unset',
    set: 'in a session that has an id',
    readBy: ['the coding agent'],
    purpose: 'Where on the host this session puts what it delivers',
  },
  PLAT_UI_SESSION: {
    type: literal('1'),
    default: 'unset',
    set: 'by the desktop app',
    readBy: ['the desktop app'],
    purpose: 'Internal: the desktop app started the process',
  },
  PLAT_DEV_BIN_DIR: {
    type: ABSOLUTE_PATH,
    default: 'erun-cli/bin',
    set: 'by a developer',
    readBy: ['the development wrapper'],
    purpose: 'Internal: where the wrapper script of development builds the programs',
  },
  AGENT_SUBAGENT_MODEL: {
    type: STRING,
    default: 'a fixed alias of a larger model',
    set: 'at each launch',
    readBy: ['the coding agent'],
    purpose: "The model that the session's subagents run on",
  },
} as const satisfies Record<string, Variable>;

/** Spec: Client, Variables read by the client. */
export const CLIENT_VARIABLES = {
  PLAT_IDLE_PROBE: {
    type: literal('true'),
    default: 'unset',
    set: "by the desktop's prober of idleness",
    readBy: ['plat'],
    purpose: 'No interactive output, and the call counts as no activity',
  },
  PLAT_FORCE_TTY: {
    type: literal('1'),
    default: 'unset',
    set: 'by tests',
    readBy: ['plat'],
    purpose: 'Internal: stdout counts as a terminal',
  },
  PLAT_LOCAL_SHELL_OVERRIDE: {
    type: literal('1'),
    default: 'unset',
    set: 'by tests',
    readBy: ['plat open'],
    purpose: 'Internal: the shell is an interactive POSIX shell with a fixed prompt and without rc files',
  },
} as const satisfies Record<string, Variable>;
