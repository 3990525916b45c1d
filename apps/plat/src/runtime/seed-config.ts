import { defined } from '@plat/contracts/core';
import type { ConfigDocument } from '../config/config-document';
import { type ConfigScope, scopedConfigPath } from '../config/config-scope';
import { changeConfigFile } from '../config/config-store';
import type { BootVariables } from './boot-variables';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes the pod's configuration from its variables: the default tenant and environment, and the environment's own file.
 * A field that is there stays as it is, so a second boot changes nothing. Rule H16.
 */
export async function seedConfig(configFolder: string, variables: BootVariables): Promise<void> {
  const { PLAT_TENANT: tenant, PLAT_ENVIRONMENT: environment } = variables;
  const files: Array<[ConfigScope, Fields]> = [
    [{}, { defaultTenant: tenant }],
    [{ tenant }, { defaultEnvironment: environment }],
    [{ tenant, environment }, environmentFields(variables)],
  ];
  for (const [scope, fields] of files) {
    const path = scopedConfigPath(configFolder, scope);
    await changeConfigFile({ configFolder, path }, (file) => addAbsent(file, fields));
  }
}

/** The fields of EnvConfig that the variables of a pod hold. */
function environmentFields(variables: BootVariables): Fields {
  const cloud = defined({
    alias: variables.PLAT_CLOUD_ENVIRONMENT,
    contextName: variables.PLAT_CLOUD_CONTEXT_NAME,
    provider: variables.PLAT_CLOUD_PROVIDER,
    providerAlias: variables.PLAT_CLOUD_PROVIDER_ALIAS,
    region: variables.PLAT_CLOUD_REGION,
    instanceId: variables.PLAT_CLOUD_INSTANCE_ID,
  });
  return defined<unknown>({
    type: variables.PLAT_ENV_TYPE,
    kubernetesContext: variables.PLAT_KUBERNETES_CONTEXT,
    localRepoPath: variables.PLAT_REPO_PATH,
    repoUrl: variables.PLAT_REPO_URL,
    runtimeRegistry: variables.PLAT_RUNTIME_REGISTRY,
    containerRegistries: variables.PLAT_CONTAINER_REGISTRIES,
    cloud: Object.keys(cloud).length === 0 ? undefined : cloud,
  });
}

function addAbsent({ document, content }: ConfigDocument, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(content, name)) document.set(name, document.createNode(value));
  }
}
