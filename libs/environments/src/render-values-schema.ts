import { LABEL, LABEL_LENGTH_MAX } from './names';
import { PORT_MAX } from './port-blocks';
import type { PodVariable } from './variable';
import { SECRET_STRING } from './variable-type';
import { POD_VARIABLES } from './variables';

type JsonSchema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string', minLength: 1 };
const NAME = { type: 'string', maxLength: LABEL_LENGTH_MAX, pattern: LABEL.source };
/** A quantity of Kubernetes. */
const QUANTITY = { type: 'string', pattern: '^[0-9]{1,9}(\\.[0-9]{1,3})?(m|[kMGTPE]i?|Ki)?$' };
const SECRET = mapping(
  { name: { ...TEXT, description: 'Name of the secret' }, key: { ...TEXT, description: 'Its key' } },
  ['name', 'key'],
);

/** Variables without which the chart cannot be rendered. */
const REQUIRED_VARIABLES: ReadonlyArray<keyof typeof POD_VARIABLES> = [
  'PLAT_TENANT',
  'PLAT_ENVIRONMENT',
  'PLAT_NAMESPACE',
  'PLAT_OUTPUTS_DIR',
  'PLAT_MCP_PORT',
  'PLAT_SSHD_PORT',
];

/**
 * `values.schema.json` of the runtime chart, from the table of variables. It is strict: a key that it does not know is
 * refused, and so is a value in place of a reference to a secret. Draft 7, which every helm reads.
 */
export function renderValuesSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the runtime chart',
    description: 'Written by `npm run generate` from `libs/environments`; edit the table of variables there.',
    ...mapping(FIELDS, ['tenant', 'environment', 'image', 'variables']),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const FIELDS = {
  tenant: { ...NAME, description: 'Name of the tenant' },
  environment: { ...NAME, description: 'Name of the environment' },
  image: { ...TEXT, description: 'Image of the pod' },
  replicas: { enum: [0, 1], description: '0 for a stopped environment' },
  variables: {
    ...mapping(variables(), REQUIRED_VARIABLES),
    description: 'Variables of the pod; one that resolves to nothing is left out',
  },
  mcpEnabled: { type: 'boolean', description: 'Whether Service <tenant>-mcp is there' },
  sshPort: {
    type: 'integer',
    minimum: 1,
    maximum: PORT_MAX,
    description: 'Port of Service <tenant>-ssh (default: PLAT_SSHD_PORT)',
  },
  resources: {
    ...mapping({ cpu: QUANTITY, memory: QUANTITY }),
    description: 'Both the request and the limit of the pod',
  },
  storage: {
    ...mapping({ className: { type: 'string' }, home: QUANTITY, checkout: QUANTITY, outputs: QUANTITY }),
    description: 'Sizes of the volumes, and their class; empty: the default class of the cluster',
  },
  registrySecret: {
    type: 'string',
    description: "Secret with the sign-in at the image's registry; empty: none",
  },
  secretVersions: {
    type: 'object',
    propertyNames: NAME,
    additionalProperties: TEXT,
    description: 'Versions of the secrets as deployed; the pod starts again when one changes',
  },
};

function mapping(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []) {
  return { type: 'object', additionalProperties: false, required, properties };
}

function variables(): Record<string, JsonSchema> {
  const rows = Object.entries(POD_VARIABLES) as Array<[string, PodVariable]>;
  return Object.fromEntries(
    rows.map(([name, { type, purpose }]) => {
      // A secret is in no values. The empty text keeps the agent from another key.
      const value = type === SECRET_STRING ? { anyOf: [SECRET, { const: '' }] } : TEXT;
      return [name, { ...value, description: purpose }];
    }),
  );
}
