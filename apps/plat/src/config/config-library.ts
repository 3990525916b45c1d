/** The schemas of the configuration files and their library: a bundle of its own, which few commands load. */
export {
  checkConfig,
  fieldOf,
  knownNames,
  parseEnvConfig,
  parseGateBlock,
  parseGitCredential,
  parsePlatformBlock,
} from '@plat/environments/config';
