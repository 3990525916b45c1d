import * as z from 'zod';
import { isDomain, isSubdomain } from '../domain';
import { isLabel, splitNamespace } from '../names';
import { isRegistry, REGISTRY } from '../registry';
import { isLine } from '../variable-type';
import { envConfigSchema, HOST_PATH } from './env-config';
import { flag, list, mapping, oneOf, secretText, text } from './schema-parts';

const label = () => text('is no name: use lower-case letters, digits and hyphens', { test: isLabel });
const domain = () => text('is no domain, such as example.com', { test: isDomain });

/** The user's own configuration: what the client reads of it. Rules G3 and H3. */
export const userConfigSchema = mapping({
  defaultAlias: text('is no name of an alias')
    .optional()
    .describe('The platform alias that is used if none is named; `plat cloud use` sets it'),
  cloudAliases: list(z.custom<{ name: string }>(isAlias, { error: 'is no alias with a name' }))
    .optional()
    .describe('The aliases; `plat cloud init` writes them'),
  defaultTenant: label().optional().describe('The tenant that is meant if none is named'),
  containerRegistries: envConfigSchema.shape.containerRegistries.describe(
    'Registries of builds on this machine, unless the environment has its own',
  ),
  orchestrators: list(
    mapping({
      id: text('is no id').describe('What PLAT_ORCHESTRATOR_ID of its session is'),
      environments: list(
        text('is no <tenant>-<env>', { test: (value) => splitNamespace(value) !== undefined }),
      )
        .optional()
        .describe('Its environments, each as `<tenant>-<env>`'),
    }),
  )
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, { error: 'has an id twice' })
    .optional()
    .describe('The orchestrators whose sessions run on this machine'),
  gateway: mapping({
    tokenFile: text('is no absolute path', { pattern: HOST_PATH })
      .optional()
      .describe("File with the gateway's credential, which only you may read"),
    tokenCommand: secretText('is no single line of text', isLine)
      .optional()
      .describe('Shell command that prints the credential, in place of a file'),
  })
    .optional()
    .describe('The credential of the gateway to models, for `plat deploy`'),
  platform: mapping({
    registry: text('is no registry: give a host with an optional port', {
      pattern: REGISTRY,
      test: isRegistry,
    })
      .optional()
      .describe("Host of the platform's own registry, which takes the operator's token"),
  })
    .optional()
    .describe('The platform'),
});

/** The configuration of a tenant. Rule H3. */
export const tenantConfigSchema = mapping({
  defaultEnvironment: label().optional().describe('The environment that is meant if none is named'),
});

const platform = z
  .strictObject(
    {
      basedomain: domain()
        .optional()
        .describe('The domain of the platform; required as soon as one field is set'),
      serviceszone: domain()
        .optional()
        .describe(
          'Zone of public names: the base domain itself or a name below it (default `services.<basedomain>`)',
        ),
      env: text('is no <tenant>-<env>', { test: (value) => splitNamespace(value) !== undefined })
        .optional()
        .describe("The platform's own environment, as `<tenant>-<env>`; expose requires it"),
      ingressclassname: text('is no name of an ingress class', { test: isSubdomain })
        .optional()
        .describe('Class of the ingress (default traefik)'),
      dnsconfigdir: text('is no absolute path', { pattern: /^\// })
        .optional()
        .describe("Folder of the DNS server's configuration (default /etc/pdns-shared)"),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'is no mapping' : undefined) },
  )
  .superRefine((block, context) => {
    const { basedomain, serviceszone } = block;
    if (basedomain === undefined && Object.keys(block).length > 0) {
      context.addIssue({ code: 'custom', path: ['basedomain'], message: 'is missing' });
    }
    if (basedomain === undefined || serviceszone === undefined) return;
    if (serviceszone === basedomain || serviceszone.endsWith(`.${basedomain}`)) return;
    context.addIssue({
      code: 'custom',
      path: ['serviceszone'],
      message: `is neither ${basedomain} nor a name below it`,
    });
  });

/** The platform block of a project's file. */
export type PlatformBlock = z.infer<typeof platform>;

const gate = z
  .strictObject(
    {
      command: text('is no command of one line', { test: (value) => value.trim() !== '' })
        .optional()
        .describe(
          'Shell command that tests a merge, in place of the stage `test`; read from the target branch',
        ),
      refuseUndone: flag()
        .optional()
        .describe(
          'Whether a drive fails a review that would take back work of earlier landings, as --refuse-undone does',
        ),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'is no mapping' : undefined) },
  )
  .refine((block) => Object.keys(block).length > 0, { error: 'has neither command nor refuseUndone' });

/** The gate block of a project's file. */
export type GateBlock = z.infer<typeof gate>;

/** The ways in which a pod signs in to the project's remote. */
export const GIT_CREDENTIALS = ['ssh-key', 'token-file', 'helper'] as const;
export type GitCredentialKind = (typeof GIT_CREDENTIALS)[number];

const git = z.strictObject(
  {
    credential: oneOf(GIT_CREDENTIALS).describe(
      'How the pods of its environments sign in to its remote; `plat init --git-credential` gives the key, file or helper',
    ),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'is no mapping' : undefined) },
);

/** The project's own file, `.plat/config.yaml` at the root of its repository: unknown keys are refused. Rule H3. */
export const projectConfigSchema = z.strictObject({
  platform: platform.optional().describe('The platform that exposes services of the project'),
  gate: gate.optional().describe('How a merge of the project is tested'),
  git: git.optional().describe('git in the pods of its environments'),
});

/** Aliases of other kinds have fields of their own. */
function isAlias(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string'
  );
}
