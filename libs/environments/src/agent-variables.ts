import { contextTokens } from './gateway';
import { runtimeNames } from './names';
import type { PodVariable } from './variable';
import { ADDRESS, BOOL, COUNT, SECRET_STRING, WORDS } from './variable-type';

/** Key of the gateway's credential in the secret that the deploy writes. */
export const GATEWAY_TOKEN_KEY = 'token';

/** The coding agent and its models. Spec: Client, Variables set in a runtime pod. */
export const AGENT_VARIABLES = {
  AGENT_USE_ALT_ROUTE_1: {
    type: BOOL,
    default: 'unset',
    set: 'if `agent.alternateRoute` is 1',
    from: ['agent.alternateRoute'],
    readBy: ['the coding agent'],
    purpose: 'The agent goes through a first alternate provider of models',
    value: ({ config }) => (config.agent?.alternateRoute === 1 ? 'true' : undefined),
  },
  AGENT_USE_ALT_ROUTE_2: {
    type: BOOL,
    default: 'unset',
    set: 'if `agent.alternateRoute` is 2',
    from: ['agent.alternateRoute'],
    readBy: ['the coding agent'],
    purpose: 'The agent goes through a second one',
    value: ({ config }) => (config.agent?.alternateRoute === 2 ? 'true' : undefined),
  },
  AGENT_MAX_OUTPUT_TOKENS: {
    type: COUNT,
    default: 'unset',
    set: 'if it is configured',
    from: ['agent.maxOutputTokens'],
    readBy: ['the coding agent'],
    purpose: 'Most tokens of an answer of the agent',
    value: ({ config }) => config.agent?.maxOutputTokens?.toString(),
  },
  PLAT_AGENT_AVAILABLE_MODELS: {
    type: WORDS,
    default: 'unset',
    set: 'if models are configured; with a gateway: the ids of its catalog',
    from: ['gateway.models', 'agent.availableModels'],
    readBy: ['the coding agent'],
    purpose: 'Models that are allowed',
    value: ({ config: { gateway, agent } }) => {
      const models = gateway?.models.map(({ id }) => id) ?? agent?.availableModels ?? [];
      return models.length === 0 ? undefined : models.join(',');
    },
  },
  LLM_API_KEY: {
    type: SECRET_STRING,
    default: 'unset',
    set: 'from the secret `llmKeySecret`; with a gateway: empty',
    from: ['llmKeySecret', 'gateway'],
    readBy: ['the coding agent'],
    purpose:
      "The agent's own key. It is empty with a gateway, so that the agent cannot go to a provider directly",
    value: ({ config: { gateway, llmKeySecret } }) => (gateway === undefined ? secretRef(llmKeySecret) : ''),
  },
  LLM_BASE_URL: {
    type: ADDRESS,
    default: 'unset',
    set: 'if the gateway names one, whichever the cloud',
    from: ['gateway.baseUrl'],
    readBy: ['the coding agent'],
    purpose: "Another endpoint of the agent's API",
    value: ({ config }) => config.gateway?.baseUrl,
  },
  LLM_AUTH_TOKEN: {
    type: SECRET_STRING,
    default: 'unset',
    set: 'with a gateway: from the secret `gateway.tokenSecret`, otherwise from the one that the deploy writes',
    from: ['gateway.tokenSecret'],
    readBy: ['the coding agent'],
    purpose: "The gateway's credential, sent as bearer",
    value: ({ config: { gateway }, name }) =>
      gateway === undefined
        ? undefined
        : (secretRef(gateway.tokenSecret) ?? {
            name: runtimeNames(name).gatewaySecret,
            key: GATEWAY_TOKEN_KEY,
          }),
  },
  AGENT_ENABLE_GATEWAY_MODEL_DISCOVERY: {
    type: BOOL,
    default: 'unset',
    set: 'with a gateway',
    from: ['gateway'],
    readBy: ['the coding agent'],
    purpose:
      'The agent asks the gateway for its models, and keeps those whose id contains the name of its vendor',
    value: ({ config }) => (config.gateway === undefined ? undefined : 'true'),
  },
  AGENT_MAX_CONTEXT_TOKENS: {
    type: COUNT,
    default: 'unset',
    set: "if the catalog names the window of the gateway's default model; a launch sets that of the selected model",
    from: ['gateway.models'],
    readBy: ['the coding agent'],
    purpose: 'The context window that the agent assumes',
    value: ({ config: { gateway } }) => gateway && contextTokens(gateway)?.toString(),
  },
} as const satisfies Record<string, PodVariable>;

/** The reference alone, without keys that this version does not know. */
function secretRef(secret: { name: string; key: string } | undefined) {
  return secret && { name: secret.name, key: secret.key };
}
