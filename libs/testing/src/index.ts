export { type CellDatabase, startCell, type TestCell } from './database/cell';
export { cutAfter } from './database/cut-client';
export { fillTenant } from './database/fill-tenant';
export { readScannedIndexes } from './database/indexes-scanned';
export { NEW_BUILD_ID } from './database/new-build-id';
export { idAt, makeOldMonths, monthName, monthsAgo, writeOldTrail } from './database/old-months';
export { proveScope, type TestCaller } from './database/proved-scope';
export { createTestDatabase, type TestDatabase } from './database/test-database';
export { serveTls } from './database/tls-front';
export { VanishingHost } from './database/vanishing-host';
export {
  chartObject,
  type ChartPod,
  type LocalContainer,
  type LocalContents,
  makeLocal,
} from './deployment/chart-pod';
export {
  type DeployedEnvironment,
  readDeployedEnvironment as deployedEnvironment,
  deployedUrl,
  prepareDatabase,
} from './deployment/deployed-database';
export { Deployment, type DeploymentOptions } from './deployment/deployment';
export { type Judgement, judgeTraffic, NOTHING_AMISS } from './deployment/judgement';
export { buildPrograms, type Programs, programsIn } from './deployment/programs';
export {
  type ChartCase,
  chartValuesFile,
  GOLDEN_CHARTS,
  HELM_CHARTS,
  isGoldenChart,
  renderedChart,
} from './deployment/rendered-chart';
export { ReplicatedDatabase, type ReplicatedDatabaseOptions } from './deployment/replicated-database';
export { ServiceAddress } from './deployment/service-address';
export { type FailedRequest, Traffic } from './deployment/traffic';
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
export { startTruncatingFront, type TruncatingFront } from './dns/truncating-front';
export { startUpdateServer, type UpdateServer } from './dns/update-server';
export { installCertificateDefinitions } from './exposure/certificate-definitions';
export { issueCertificate, type ManagedCertificate } from './exposure/certificate-manager';
export { type DnsBroker, startDnsBroker } from './exposure/dns-broker';
export { type IngressEdge, type IngressEdgeOptions, startIngressEdge } from './exposure/ingress-edge';
export { type Pebble, startPebble } from './exposure/pebble';
export { FORGE_REMOTE, FORGE_REQUEST_ID, FORGE_TOKEN, ForgeDouble } from './forge/forge-double';
export {
  copyInstruction,
  craftDelta,
  type CraftedEntry,
  type CraftedPackOptions,
  craftEntry,
  craftPack,
  insertInstruction,
  objectId,
} from './git/crafted-pack';
export { git, GitCommandFailed, gitEnvironment } from './git/git-command';
export { type FileChange, type FileChanges, GitRemote, type ImportedCommit } from './git/git-remote';
export { LandingScene, twelveLines } from './git/landing-scene';
export { type MadeBranch, type MadeFiles, makeBranch, UNUSABLE_FILES } from './git/made-branch';
export { startTestNameServer, type TestNameServer } from './git/name-server';
export { quickGitConfig } from './git/quick-git';
export {
  advertise,
  type Answerer,
  type GitScript,
  line,
  type ScriptedGitServer,
  startScriptedGitServer as scriptedGitServer,
  sendPack,
  sideBand,
} from './git/scripted-git-server';
export { makeSelfSignedCertificate } from './git/self-signed-certificate';
export { type ServedGit, serveGit, type ServeGitOptions } from './git/serve-git';
export { fixedLines, UndoneScene } from './git/undone-scene';
export {
  TEST_AUDIENCE,
  type TokenAlgorithm,
  TokenIssuer,
  type TokenIssuerOptions,
  type TokenOverrides,
} from './issuer/token-issuer';
export { ClusterDouble } from './kubernetes/cluster-double';
export { ForwardCluster, type GrantedRule, startForwardCluster } from './kubernetes/forward-cluster';
export {
  type ApiPod,
  type ApiService,
  carry,
  ForwardingApi,
  type PodPort,
  type PodTunnel,
} from './kubernetes/forwarding-api';
export { kubeconfigOf } from './kubernetes/kubeconfig';
export { type KubernetesApi, startKubernetesApi } from './kubernetes/kubernetes-api';
export { type KubernetesOptions, type KubernetesPeer, startKubernetes } from './kubernetes/kubernetes-peer';
export { KubernetesRequests, RequestRefused } from './kubernetes/kubernetes-requests';
export { PodProgram } from './kubernetes/pod-program';
export { type PodStream, PodStreamsServer } from './kubernetes/pod-streams';
export {
  type ClusterPeer,
  NODE_NAME,
  PAUSE_IMAGE,
  startClusterPeer,
} from './kubernetes-node/kubernetes-node';
export { startScheduler } from './kubernetes-node/scheduler';
export { type ForeignJudgement, type JudgeEnd, judgeFolder, runJudge } from './ledger/foreign-judges';
export {
  type LogFiles,
  type SealedEntry,
  SealedLog,
  type SealedMoment,
  writeLogFiles,
} from './ledger/sealed-log';
export { INSERT_TRAIL, SealingScene, type StoredEntry } from './ledger/sealing-scene';
export { bind9 } from './name-servers/bind9';
export { knot } from './name-servers/knot';
export {
  addressesAt,
  type NameServerPeer,
  type NameServerSetUp,
  startNameServer,
  type UpdatedServer,
} from './name-servers/name-server-peer';
export { administerPowerDns, powerDns } from './name-servers/power-dns';
export { judgeByCyclonus, type PolicyQuestion } from './network-policy/cyclonus';
export type { NetworkPolicy, Protocol } from './network-policy/network-policy';
export {
  type Connection,
  type NetworkEnd,
  PolicyNetwork,
  type PolicyPod,
} from './network-policy/policy-network';
export { type ApiProxy, startForgeProxy } from './peers/api-proxy';
export { startBrowser, type TestBrowser } from './peers/browser';
export { type ContainerOptions, runContainer, startContainer } from './peers/container';
export {
  type ContainerRegistry,
  type RegistryDoor,
  startContainerRegistry,
  startRegistryDoor,
} from './peers/container-registry';
export { type DockerDaemon, startDockerDaemon } from './peers/docker-daemon';
export { type EdgePeer, startEdge, type Upstreams } from './peers/edge';
export { writeLibrariesOf, writeRuntimeBase } from './peers/image-base';
export { type ImageBuilder, imageBuilder } from './peers/image-builder';
export { type MetricsReader, startMetricsReader } from './peers/metrics-reader';
export { hasPeer, peer, type PeerProgram } from './peers/peer';
export { type Pooler, type PoolerOptions, startPooler } from './peers/pooler';
export { type SshServer, startSshServer } from './peers/ssh-server';
export { type PlatformProcess, startPlatformProcess } from './processes/platform-process';
export { type ServerProcess, startServer } from './processes/ready-server';
export { type ReservedPorts, reservePorts } from './processes/reserved-ports';
export {
  addressOf,
  buildService,
  launchOnFullDisk,
  launchService,
  type ServiceProcess,
  startPiped,
  startService,
} from './processes/service-process';
export {
  type EndedStart,
  launchStandalone,
  type StandaloneProcess,
  startStandalone,
} from './processes/standalone-process';
export { Random } from './random';
export { type GatedReview, MergeScene, notVerified, type RefusedReport } from './service/merge-scene';
export { MergeStand } from './service/merge-stand';
export { type ProbedWork, probeService } from './service/probe-service';
export { ReviewScene, SOME_COMMIT, type TestBuild } from './service/review-scene';
export { newSigningKey } from './service/signing-key';
export { startTestService, type TestAnswer, type TestService } from './service/test-service';
export { runCommand, runHostedCommand } from './setup/commands/run-command';
export { verifierWorkerFile } from './setup/verifier-worker';
export { execFile, execFileSync, fork, spawn, spawnSync } from './starter/child-process';
export { testEnvironment } from './starter/test-environment';
export type { Click, VisitedPage } from './visitor';
export { approveDevice, Visitor } from './visitor';
