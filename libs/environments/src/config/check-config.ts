import type * as z from 'zod';
import type { Fault } from '../fault';
import { type EnvConfig, envConfigSchema } from './env-config';
import {
  type GateBlock,
  type GitCredentialKind,
  type PlatformBlock,
  projectConfigSchema,
  tenantConfigSchema,
  userConfigSchema,
} from './other-configs';

/** The schema of each file of the configuration. Rule H3. */
export const CONFIG_SCHEMAS = {
  user: userConfigSchema,
  tenant: tenantConfigSchema,
  environment: envConfigSchema,
  project: projectConfigSchema,
} as const;
export type ConfigLevel = keyof typeof CONFIG_SCHEMAS;

/** Names of mappings and places of lists, from the top. */
export type ConfigPath = ReadonlyArray<string | number>;

/** A wrong value, by its place in the file. */
export interface ConfigFault extends Fault {
  path: ConfigPath;
}

/** The result of a check of a file's content. */
export interface CheckedConfig {
  /** Every fault, in the order of the schema. */
  faults: ConfigFault[];
  /** Keys that this version does not know, which it keeps. */
  unknown: ConfigPath[];
}

/** Checks the content of a file of the configuration against its level's schema. */
export function checkConfig(level: ConfigLevel, content: unknown): CheckedConfig {
  const schema = CONFIG_SCHEMAS[level];
  const result = schema.safeParse(content);
  return {
    faults: (result.error?.issues ?? []).flatMap((issue) => faultsOf(issue, content)),
    unknown: level === 'project' ? [] : unknownKeys(schema, content),
  };
}

/** @returns the configuration, if the content has no fault */
export function parseEnvConfig(content: unknown): EnvConfig | undefined {
  return envConfigSchema.safeParse(content).data;
}

/** @returns the platform block of a project's file; undefined if it has none, or if the content has a fault */
export function parsePlatformBlock(content: unknown): PlatformBlock | undefined {
  return projectConfigSchema.safeParse(content).data?.platform;
}

/** A path as the user would write it: `containerRegistries[0].roles`; the top is `the file`. */
export function fieldOf(path: ConfigPath): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

function faultsOf(issue: z.core.$ZodIssue, content: unknown): ConfigFault[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      field: fieldOf([...path, key]),
      why: 'is no known key',
    }));
  }
  const value = valueAt(content, path);
  if (value === undefined) return [{ path, field: fieldOf(path), why: 'is missing' }];
  const isSecret = issue.code === 'custom' && issue.params?.isSecret === true;
  return [{ path, field: fieldOf(path), value: isSecret ? undefined : value, why: issue.message }];
}

function valueAt(content: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined,
    content,
  );
}

/** The paths of all keys that the schema does not have, also those of mappings in lists. */
function unknownKeys(schema: z.core.$ZodType, content: unknown, path: ConfigPath = []): ConfigPath[] {
  const { def } = (schema as z.ZodType)._zod;
  if (def.type === 'optional') return unknownKeys((def as z.core.$ZodOptionalDef).innerType, content, path);
  if (def.type === 'array' && Array.isArray(content)) {
    const { element } = def as z.core.$ZodArrayDef;
    return content.flatMap((entry, at) => unknownKeys(element, entry, [...path, at]));
  }
  if (def.type !== 'object' || typeof content !== 'object' || content === null) return [];
  const { shape } = def as z.core.$ZodObjectDef;
  return Object.entries(content).flatMap(([key, value]) =>
    Object.hasOwn(shape, key) ? unknownKeys(shape[key]!, value, [...path, key]) : [[...path, key]],
  );
}

/** @returns the gate block of a project's file; empty if it has none, or if the content has a fault */
export function parseGateBlock(content: unknown): GateBlock {
  return projectConfigSchema.safeParse(content).data?.gate ?? {};
}

/** @returns how the pods of a project's environments sign in to its remote; undefined if its file does not say */
export function parseGitCredential(content: unknown): GitCredentialKind | undefined {
  return projectConfigSchema.safeParse(content).data?.git?.credential;
}

/** The names of a level's fields, with dots between them; those of mappings in lists are left out. */
export function knownNames(level: ConfigLevel): string[] {
  return namesOf(CONFIG_SCHEMAS[level]);
}

function namesOf(schema: z.core.$ZodType, above: readonly string[] = []): string[] {
  const { def } = (schema as z.ZodType)._zod;
  const own = above.length === 0 ? [] : [above.join('.')];
  if (def.type === 'optional') return namesOf((def as z.core.$ZodOptionalDef).innerType, above);
  if (def.type !== 'object') return own;
  const { shape } = def as z.core.$ZodObjectDef;
  return [...own, ...Object.entries(shape).flatMap(([key, inner]) => namesOf(inner, [...above, key]))];
}
