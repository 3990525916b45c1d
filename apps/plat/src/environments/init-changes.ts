import { isDeepStrictEqual } from 'node:util';
import { defined } from '@plat/contracts/core';
import type { EnvConfig } from '@plat/environments';
import { Failure } from '../terminal/failure';

/** Fields of EnvConfig that `plat init` sets. */
export type InitFields = Partial<
  Pick<
    EnvConfig,
    | 'type'
    | 'kubernetesContext'
    | 'localRepoPath'
    | 'repoUrl'
    | 'git'
    | 'mutableSource'
    | 'runtimeVersion'
    | 'runtimeImage'
    | 'containerRegistries'
    | 'localPortRangeStart'
    | 'alias'
  >
>;

/** A field that gets another value. */
export interface FieldChange {
  field: string;
  /** Undefined if the field is new. */
  from?: unknown;
  to: unknown;
}

/**
 * The changes of an environment's file: what is given changes, what is not given stays, and a missing field gets its
 * default. Rule H6.
 *
 * @param content of the file; empty for a new environment
 */
export function initChanges(
  content: Readonly<Record<string, unknown>>,
  given: InitFields,
  defaults: InitFields,
): FieldChange[] {
  const missing = Object.entries(defaults).filter(([field]) => content[field] === undefined);
  const wanted = { ...Object.fromEntries(missing), ...defined<unknown>({ ...given }) };
  return Object.entries(wanted)
    .filter(([field, to]) => to !== undefined && !isDeepStrictEqual(content[field], to))
    .map(([field, to]) => ({ field, from: content[field], to }));
}

/** The changes that replace a value, for which the user is asked. */
export function overwriting(changes: readonly FieldChange[]): FieldChange[] {
  return changes.filter(({ from }) => from !== undefined);
}

/** `type: runtime -> remote-agent` */
export function changeText({ field, from, to }: FieldChange): string {
  const [before, after] = [from, to].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return from === undefined ? `${field}: ${after}` : `${field}: ${before} -> ${after}`;
}

/** `registry.example.com:5000/team=build,deploy`. @throws Failure INVALID_REGISTRY */
export function parseRegistryRoles(text: string): { registry: string; roles: string[] } {
  const at = text.lastIndexOf('=');
  const [registry, roles] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const named = roles.split(',').filter((role) => role !== '');
  if (registry !== '' && named.length > 0) return { registry, roles: named };
  throw new Failure('INVALID_REGISTRY', `The registry ${JSON.stringify(text.slice(0, 200))} has no role.`, {
    next: 'give it as <registry>=<role>[,<role>], such as registry.example.com=build,deploy',
  });
}
