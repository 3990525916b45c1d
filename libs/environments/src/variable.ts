import type { EnvConfig } from './config/env-config';
import type { EnvironmentName } from './names';
import type { VariableType } from './variable-type';

/** The reader of a variable. `plat` is the client's commands; the others are single commands or other programs. */
export type Reader =
  | 'plat'
  | 'plat open'
  | 'plat doctor'
  | 'plat runtime boot'
  | 'plat idle watch'
  | 'the coding agent'
  | "the cloud's tools"
  | 'the desktop app'
  | "the session's hooks"
  | 'the development wrapper';

/** A row of a table of the contract. */
export interface Variable<T = unknown> {
  type: VariableType<T>;
  /** The contract's words: a value, `unset`, or what the value is derived from. */
  default: string;
  /** When it is set: the end of a sentence that begins with "Set". */
  set: string;
  readBy: readonly Reader[];
  /** A sentence without its full stop. */
  purpose: string;
}

/** The inputs of a pod's variables. */
export interface Pod {
  name: EnvironmentName;
  config: EnvConfig;
  /** Time zone of the machine that deploys. */
  hostTimeZone: string;
}

/** The key of a Kubernetes secret that holds a value. The value itself is in no configuration and no argument. */
export interface SecretRef {
  name: string;
  key: string;
}

/** A row of the table of a runtime pod. */
export interface PodVariable<T = unknown> extends Variable<T> {
  /** Fields of EnvConfig, by their paths; empty if the value comes from none. */
  from: readonly string[];
  /** The value in a pod; undefined: not set. Spec: Client, Variables set in a runtime pod. */
  value(pod: Pod): string | SecretRef | undefined;
}
