export {
  checkConfig,
  type CheckedConfig,
  CONFIG_SCHEMAS,
  type ConfigFault,
  type ConfigLevel,
  type ConfigPath,
  fieldOf,
  parseEnvConfig,
} from './check-config';
export type { EnvConfig } from './env-config';
export { renderEnvConfig, renderEnvConfigSchema } from './render-env-config';
