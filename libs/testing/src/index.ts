export { indexesScanned } from './database/indexes-scanned';
export { provedScope, type TestCaller } from './database/proved-scope';
export { VanishingHost } from './database/vanishing-host';
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
export { git, GitCommandFailed, gitEnvironment } from './git/git-command';
export { GitRemote, type FileChange, type FileChanges, type ImportedCommit } from './git/git-remote';
export { LandingScene, twelveLines } from './git/landing-scene';
export { ClusterDouble } from './kubernetes/cluster-double';
export { startKubernetes, type KubernetesPeer } from './kubernetes/kubernetes-peer';
export { startKubernetesApi, type KubernetesApi } from './kubernetes/kubernetes-api';
export { startUpdateServer, type UpdateServer } from './dns/update-server';
export { truncatingFront, type TruncatingFront } from './dns/truncating-front';
export { bind9 } from './name-servers/bind9';
export { knot } from './name-servers/knot';
export { startNameServer, type NameServerPeer } from './name-servers/name-server-peer';
export { powerDns } from './name-servers/power-dns';
export { startBrowser, type TestBrowser } from './peers/browser';
export { startEdge, type EdgePeer } from './peers/edge';
export { startMetricsReader, type MetricsReader } from './peers/metrics-reader';
export { peer, type PeerProgram } from './peers/peer';
export { startPooler, type Pooler } from './peers/pooler';
export { startSshServer, type SshServer } from './peers/ssh-server';
export { serveGit, type ServedGit, type ServeGitOptions } from './git/serve-git';
export { verifierWorkerFile } from './git/verifier-worker';
export { MergeScene, notVerified, type GatedReview, type RefusedReport } from './service/merge-scene';
export { probeService, type ProbedWork } from './service/probe-service';
export { MergeStand } from './service/merge-stand';
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
export { FORGE_REMOTE, FORGE_REQUEST_ID, FORGE_TOKEN, ForgeDouble } from './forge/forge-double';
export { Random } from './random';
export { startForgeProxy, type ApiProxy } from './peers/api-proxy';
export {
  startContainerRegistry,
  startRegistryDoor,
  type ContainerRegistry,
  type RegistryDoor,
} from './peers/container-registry';
export { startDockerDaemon, type DockerDaemon } from './peers/docker-daemon';
