import type { EnvConfig } from '@plat/environments';
import { PLATFORM_KIND } from '../config/cloud-alias';
import { readConfig } from '../config/config-file';
import type { Platform } from '../platform/platform';

/** How the record's path is chosen. */
export interface AliasRequest {
  configFolder: string;
  /** `--alias`. */
  named: string | undefined;
  /** The environment's configuration, if it has one. */
  config?: EnvConfig | undefined;
  /** Whether zone and namespace were given by flags: then no alias counts. */
  isOverridden: boolean;
  open(aliasName: string | undefined): Promise<Platform>;
}

/**
 * The platform that writes the record: that of `--alias`, otherwise of the environment's own alias, otherwise the only
 * one or the one of `plat cloud use`. Spec: Client, plat expose, rule 3.
 *
 * @returns undefined for the direct path
 * @throws Failure with exit code 127 if there are several and none is named, and others of resolveAlias
 */
export async function recordPlatform(request: AliasRequest): Promise<Platform | undefined> {
  const { configFolder, named, config, isOverridden, open } = request;
  if (isOverridden) return undefined;
  if (named !== undefined) return open(named);
  const { cloudAliases } = await readConfig(configFolder);
  if (!cloudAliases.some(({ kind }) => kind === PLATFORM_KIND)) return undefined;
  return open(config?.alias);
}
