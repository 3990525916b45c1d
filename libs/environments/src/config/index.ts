export {
  checkConfig,
  type CheckedConfig,
  CONFIG_SCHEMAS,
  type ConfigFault,
  type ConfigLevel,
  type ConfigPath,
  fieldOf,
  knownNames,
  parseEnvConfig,
  parseGateBlock,
  parseGitCredential,
  parsePlatformBlock,
} from './check-config';
export type { EnvConfig } from './env-config';
export { GIT_CREDENTIALS, type GitCredentialKind, type PlatformBlock } from './other-configs';
export { renderEnvConfig, renderEnvConfigSchema } from './render-env-config';
