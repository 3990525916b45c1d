import { join } from 'node:path';
import { type EnvironmentName, isLabel, namespaceOf } from '@plat/environments';
import { type Channel, CHANNELS } from './channel';
import { FORWARDS_FOLDER } from './own-place';

/** The record of a port forward: the content of its state file. Spec: Client, Port-forward state file. */
export interface ForwardRecord extends EnvironmentName {
  /** Context of the kubeconfig against which the forward runs; empty: the current one. */
  kubernetesContext: string;
  /** `<tenant>-<env>` */
  namespace: string;
  /** The port that is bound on 127.0.0.1. */
  localPort: number;
  /** The state file's path with .log in place of .json. */
  logPath?: string | undefined;
  /** Id of the detached process. */
  processId?: number | undefined;
}

/** The content of a state file's text. */
export interface ParsedRecord {
  /** Undefined if the text is no record. */
  record?: ForwardRecord;
  /** Whether it has a field that is no longer written: its forward is started again. */
  isLegacy: boolean;
}

const PORT_MAX = 65_535;
/** Process 1 is never a forward. */
const PROCESS_MIN = 2;
const PROCESS_MAX = 2 ** 31 - 1;
const LEGACY_FIELDS = ['forwardPort', 'proxyProcessId'];

/** The state file of a channel. Spec: Client, Port-forward state file. @throws RangeError like `requireInside` */
export function recordPath(configFolder: string, name: EnvironmentName, channel: Channel): string {
  requireInside(name);
  return join(channelFolder(configFolder, channel), name.tenant, `${name.environment}.json`);
}

/** @throws RangeError for what is no channel */
export function channelFolder(configFolder: string, channel: Channel): string {
  if (!CHANNELS.includes(channel)) throw new RangeError(`There is no channel ${JSON.stringify(channel)}.`);
  return join(configFolder, FORWARDS_FOLDER, channel);
}

/** @throws RangeError for names that would lead out of their folder: empty, dots, with a separator or a NUL */
export function requireInside({ tenant, environment }: EnvironmentName): void {
  for (const name of [tenant, environment]) {
    if (/^\.{0,2}$|[/\\\0]/.test(name)) {
      throw new RangeError(`The name ${JSON.stringify(name)} is no file name.`);
    }
  }
}

/** The log of a forward. Spec: Client, Port-forward state file. */
export function logPathOf(record: string): string {
  return record.replace(/\.json$/, '.log');
}

/** The kept generation of a log. Spec: Client, Log retention and cleanup, rule 1. */
export function olderLogOf(log: string): string {
  return `${log}.1`;
}

/**
 * Reads the text of a state file, which a user may have edited: a wrong identity makes it no record, a process id that
 * none can have counts as absent.
 */
export function parseRecord(text: string): ParsedRecord {
  const fields = fieldsOf(text);
  if (fields === undefined) return { isLegacy: false };
  const isLegacy = LEGACY_FIELDS.some((field) => field in fields);
  const { tenant, environment, kubernetesContext, namespace, localPort, logPath, processId } = fields;
  if (!isName(tenant) || !isName(environment)) return { isLegacy };
  if (typeof kubernetesContext !== 'string' || namespace !== namespaceOf({ tenant, environment })) {
    return { isLegacy };
  }
  if (!isIntegerIn(localPort, 1, PORT_MAX)) return { isLegacy };
  const record = {
    tenant,
    environment,
    kubernetesContext,
    namespace,
    localPort,
    logPath: typeof logPath === 'string' ? logPath : undefined,
    processId: isIntegerIn(processId, PROCESS_MIN, PROCESS_MAX) ? processId : undefined,
  };
  return { record, isLegacy };
}

/** The text of a state file: exactly the contract's fields. Rule H10. */
export function recordText(record: ForwardRecord): string {
  const { tenant, environment, kubernetesContext, namespace, localPort, logPath, processId } = record;
  const fields = { tenant, environment, kubernetesContext, namespace, localPort, logPath, processId };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** Whether two records are of one forward. Spec: Client, Port-forward reconciliation, rule 1. */
export function isSameForward(one: ForwardRecord, other: ForwardRecord): boolean {
  return (
    one.tenant === other.tenant &&
    one.environment === other.environment &&
    one.kubernetesContext === other.kubernetesContext &&
    one.namespace === other.namespace &&
    one.localPort === other.localPort
  );
}

function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && isLabel(value);

function isIntegerIn(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}
