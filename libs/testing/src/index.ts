export { createTestDatabase, type TestDatabase } from './database/test-database';
export {
  claimsOf,
  ORGANIZATION_CLAIM,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  TEST_USERS,
  testDirectory,
  type TestTenant,
  type TestUser,
} from './directory/test-directory';
export {
  TEST_AUDIENCE,
  TokenIssuer,
  type TokenAlgorithm,
  type TokenIssuerOptions,
  type TokenOverrides,
} from './issuer/token-issuer';
export { approveDevice, Visitor } from './visitor';
export type { Click, VisitedPage } from './visitor';
export { git, GitCommandFailed } from './git/git-command';
export { GitRemote, type FileChange, type FileChanges } from './git/git-remote';
export { serveGit, type ServedGit, type ServeGitOptions } from './git/serve-git';
export { verifierWorkerFile } from './git/verifier-worker';
