import * as z from 'zod';
import { isId, isVersion } from '@plat/contracts/core';
import { DURATION, parseDuration } from '../duration';
import { BLOCK_START_MAX, PORT_MIN } from '../port-blocks';
import { isRegistry, isRole, REGISTRY, ROLE } from '../registry';
import { isTimeZone } from '../time-zone';
import { isAddress, isGitRemote } from '../variable-type';
import { CLOUD_PROVIDERS, ENVIRONMENT_TYPES } from '../words';
import { parseWorkingHours, WORKING_HOURS } from '../working-hours';
import { flag, int, list, mapping, oneOf, secretText, text } from './schema-parts';

const IMAGE = /^[a-z0-9][a-zA-Z0-9._:/@-]{0,511}$/;
const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const REGION = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const HOST_PATH = /^(?:\/|[A-Za-z]:[\\/])/;
/** A person's name, as git writes it in front of the address. */
export const PERSON = /^[^<>\s](?:[^<>]{0,198}[^<>\s])?$/;
export const EMAIL = /^[^<>\s@]{1,128}@[^<>\s@]{1,128}$/;
const SECRET_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const SECRET_KEY = /^[A-Za-z0-9._-]{1,253}$/;
const QUANTITY = /^\d{1,9}(?:\.\d{1,3})?(?:m|[kMGTPE]i?|Ki)?$/;

const region = text('is no region: use lower-case letters, digits and hyphens', { pattern: REGION });
const registry = text('is no registry: give a host with an optional port and path', {
  pattern: REGISTRY,
  test: isRegistry,
});
const quantity = z
  .union([z.string(), z.number()], { error: 'is no quantity of Kubernetes, such as 500m, 2 or 4Gi' })
  .refine((value) => (typeof value === 'number' ? value > 0 : value.length <= 20 && QUANTITY.test(value)), {
    error: 'is no quantity of Kubernetes, such as 500m, 2 or 4Gi',
  });

const secretRef = mapping({
  name: text('is no name of a Kubernetes secret', { pattern: SECRET_NAME }).describe('Name of the secret'),
  key: text('is no key of a Kubernetes secret', { pattern: SECRET_KEY }).describe('Its key'),
});

const containerRegistry = mapping({
  registry: registry.describe('Host with an optional port and an optional path'),
  roles: list(text('is no role', { pattern: ROLE, test: isRole }))
    .min(1, { error: 'names no role, such as build or deploy' })
    .describe('What it is for, such as `build` (images of builds go there) and `deploy`'),
});

/** An id of a model has no comma, because a variable lists the ids with commas between them. */
const modelId = text('is no id of a model', { test: (value) => !value.includes(',') });

const model = mapping({
  id: modelId.describe('As the gateway names it'),
  contextTokens: int('is no whole number above 0', 1).optional().describe('Its context window, in tokens'),
  default: flag().optional().describe('The model that is used if none is selected; at most one'),
});

const idle = mapping({
  timeout: text('is no duration above 0, such as 90s, 5m or 1h30m', {
    pattern: DURATION,
    test: (value) => (parseDuration(value) ?? 0) > 0,
  })
    .optional()
    .describe("How long idle until the environment stops, by the grammar of Go's ParseDuration (default 5m)"),
  workingHours: text('is no span of hours with two different ends, such as 08:00-20:00', {
    pattern: WORKING_HOURS,
    test: (value) => parseWorkingHours(value) !== undefined,
  })
    .optional()
    .describe('When it may stop, as HH:MM-HH:MM; 22:00-06:00 goes over midnight (default: always)'),
  timezone: text('is no IANA time zone, such as Europe/Berlin', { test: isTimeZone })
    .optional()
    .describe('Zone of the working hours (default: that of the machine that deploys)'),
  trafficBytes: int('is no whole number from 0', 0)
    .optional()
    .describe('Fewer bytes than this in a minute count as quiet (default 65536)'),
});

const cloud = mapping({
  alias: text('is no name of a cloud context')
    .optional()
    .describe('The cloud context; with it the cloud is managed'),
  contextName: text('is no id of a cluster').optional().describe('Id of the cluster'),
  provider: oneOf(CLOUD_PROVIDERS).optional().describe('Kind of provider'),
  providerAlias: text('is no name').optional().describe("The administrator's name for the provider"),
  region: region.optional().describe('Region of the cloud'),
  instanceId: text('is no id').optional().describe("The provider's id of the instance"),
  identityRegion: region.optional().describe("Region of the alias's identity centre"),
});

const agent = mapping({
  alternateRoute: z
    .union([z.literal(1), z.literal(2)], { error: 'is neither 1 nor 2' })
    .optional()
    .describe('Sends the agent through the first or second alternate provider of models'),
  maxOutputTokens: int('is no whole number above 0', 1).optional().describe('Most tokens of an answer'),
  availableModels: list(modelId)
    .optional()
    .describe('Ids of the allowed models; with a gateway those of its catalog count instead'),
  smallFastModelRegion: region
    .optional()
    .describe("Region of the small helper model (default: the environment's)"),
});

const gateway = mapping({
  baseUrl: secretText('is no http(s) URL without credentials', isAddress)
    .optional()
    .describe("The agent's API endpoint"),
  models: list(model)
    .min(1, { error: 'names no model' })
    .refine((models) => models.filter((one) => one.default === true).length < 2, {
      error: 'has more than one default model',
    })
    .describe("The gateway's catalog"),
  tokenSecret: secretRef
    .optional()
    .describe('Secret with its credential (default: the one that the deploy writes)'),
});

const file = (holds: string) => text('is no absolute path', { pattern: HOST_PATH }).describe(holds);

const gitCredential = mapping({
  sshKeyFile: file('File of an SSH key without a passphrase, which only you may read').optional(),
  tokenFile: file('File with a token, which only you may read').optional(),
  helper: text('is no credential helper of git')
    .optional()
    .describe('Credential helper of git, as `credential.helper` names it; the deploy asks it once'),
  user: text('is no user name')
    .optional()
    .describe('User name that goes with the token of a file (default x-access-token)'),
}).refine(
  ({ sshKeyFile, tokenFile, helper }) =>
    [sshKeyFile, tokenFile, helper].filter((way) => way !== undefined).length === 1,
  { error: 'names not exactly one of sshKeyFile, tokenFile and helper' },
);

const git = mapping({
  name: text('is no name of a person', { pattern: PERSON })
    .optional()
    .describe('Name of the person who commits there; git in the pod may have another'),
  email: text('is no e-mail address', { pattern: EMAIL }).optional().describe('Their address'),
  credential: gitCredential.optional().describe('How the pod signs in to `repoUrl`'),
});

/** The configuration of an environment. Rule H4. */
export const envConfigSchema = mapping({
  type: oneOf(ENVIRONMENT_TYPES).describe('What the environment is'),
  kubernetesContext: text('is no name of a context')
    .optional()
    .describe('Context of the kubeconfig (default: the current one)'),
  localRepoPath: text('is no absolute path', { pattern: HOST_PATH })
    .optional()
    .describe("The project's checkout on this machine"),
  repoUrl: secretText('is no URL of a git remote without credentials', isGitRemote)
    .optional()
    .describe("The project's git remote"),
  mutableSource: flag()
    .optional()
    .describe('The pod mounts a checkout of its own that it may change, cloned from `repoUrl`'),
  git: git.optional().describe('git in the pod'),
  runtimeVersion: text('is no version, such as 1.2.3', { test: isVersion })
    .optional()
    .describe('The release that is deployed'),
  runtimeImage: text('is no reference of an image', { pattern: IMAGE })
    .optional()
    .describe('Image of the pod, in place of the one that registry and version name'),
  runtimeRegistry: registry
    .optional()
    .describe('Registry of runtime images and their versions (default: a public one)'),
  containerRegistries: list(containerRegistry).optional().describe('Registries of the environment'),
  localPortRangeStart: int(`is no port from ${PORT_MIN} to ${BLOCK_START_MAX}`, PORT_MIN, BLOCK_START_MAX)
    .optional()
    .describe('First port of its block of 100'),
  environmentId: text('is no id', { test: isId }).optional().describe('Its id on the platform'),
  alias: text('is no name of an alias', { pattern: ALIAS })
    .optional()
    .describe('The platform alias that it acts with'),
  idle: idle.optional().describe('When it stops by itself'),
  cloud: cloud.optional().describe('The cloud that it runs in'),
  agent: agent.optional().describe('The coding agent'),
  gateway: gateway.optional().describe('A gateway to models; the agent then reaches no provider directly'),
  llmKeySecret: secretRef
    .optional()
    .describe("Secret with the agent's API key, which counts without a gateway"),
  disableBuildScript: flag().optional().describe('Builds in the pod look for no build script'),
  mcpEnabled: flag().optional().describe('The pod serves MCP (default true)'),
  stopped: flag().optional().describe('The environment is stopped: no replica'),
  pod: mapping({
    cpu: quantity.optional().describe('Processors, such as 500m or 2'),
    memory: quantity.optional().describe('Memory, such as 4Gi'),
  })
    .optional()
    .describe('Resources of the pod'),
});

/** A configuration that the schema accepts, with unknown keys kept. */
export type EnvConfig = z.infer<typeof envConfigSchema>;
