import type { EnvConfig } from './config/env-config';

type Gateway = NonNullable<EnvConfig['gateway']>;

/** The model that is used if none is selected: the one that the catalog marks, or its only one. */
export function defaultModel({ models }: Gateway): Gateway['models'][number] | undefined {
  return models.find((model) => model.default === true) ?? (models.length === 1 ? models[0] : undefined);
}

/**
 * The context window that the agent assumes, in tokens; undefined if the catalog does not say.
 *
 * @param selected id of the model of one launch; default: the catalog's default model, for the whole pod
 * Spec: Client, AGENT_MAX_CONTEXT_TOKENS
 */
export function contextTokens(gateway: Gateway, selected?: string): number | undefined {
  const model =
    selected === undefined ? defaultModel(gateway) : gateway.models.find(({ id }) => id === selected);
  return model?.contextTokens;
}
