export { indexesScanned } from './database/indexes-scanned';
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
export { GitRemote, type FileChange, type FileChanges, type ImportedCommit } from './git/git-remote';
export { ClusterDouble } from './kubernetes/cluster-double';
export { startKubernetesApi, type KubernetesApi } from './kubernetes/kubernetes-api';
export { startUpdateServer, type UpdateServer } from './dns/update-server';
export { serveGit, type ServedGit, type ServeGitOptions } from './git/serve-git';
export { verifierWorkerFile } from './git/verifier-worker';
export { probeService, type ProbedWork } from './service/probe-service';
export { startTestService, type TestAnswer, type TestService } from './service/test-service';
export { ReviewScene, SOME_COMMIT, type TestBuild } from './service/review-scene';
export {
  copyInstruction,
  craftDelta,
  craftEntry,
  craftPack,
  insertInstruction,
  objectId,
  type CraftedEntry,
  type CraftedPackOptions,
} from './git/crafted-pack';
export { testNameServer, type TestNameServer } from './git/name-server';
export {
  advertise,
  line,
  scriptedGitServer,
  sendPack,
  sideBand,
  type Answerer,
  type GitScript,
  type ScriptedGitServer,
} from './git/scripted-git-server';
