export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object that has these keys and no other. */
export function mapping(
  properties: Readonly<Record<string, JsonSchema>>,
  description?: string,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', description, additionalProperties: false, required, properties };
}

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });

export const whole = (minimum: number, maximum: number, description: string): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

export const list = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  items,
  description,
});

export const texts = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

/** Definitions of Kubernetes' own shapes, to be referred to. */
export const ref = (name: keyof typeof DEFINITIONS, description?: string): JsonSchema => ({
  allOf: [{ $ref: `#/definitions/${name}` }],
  description,
});

const NAME = { type: 'string', maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };
const QUANTITY = {
  type: 'string',
  pattern: '^[0-9]{1,12}(\\.[0-9]{1,3})?(m|[kMGTPE]i?|Ki)?$',
};
const AMOUNTS = mapping({ cpu: QUANTITY, memory: QUANTITY, 'ephemeral-storage': QUANTITY });
const EXPRESSION = mapping(
  {
    key: { type: 'string' },
    operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
    values: { type: 'array', items: { type: 'string' } },
  },
  undefined,
  ['key', 'operator'],
);

export const DEFINITIONS = {
  name: NAME,
  /** A name, or nothing. */
  optionalName: { ...NAME, pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' },
  quantity: QUANTITY,
  resources: mapping({ requests: AMOUNTS, limits: AMOUNTS }),
  selector: mapping({
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchExpressions: { type: 'array', items: EXPRESSION },
  }),
  peer: {
    ...mapping({
      podSelector: { $ref: '#/definitions/selector' },
      namespaceSelector: { $ref: '#/definitions/selector' },
      ipBlock: mapping(
        { cidr: { type: 'string' }, except: { type: 'array', items: { type: 'string' } } },
        undefined,
        ['cidr'],
      ),
    }),
    minProperties: 1,
  },
  peers: { type: 'array', items: { $ref: '#/definitions/peer' } },
} as const;
