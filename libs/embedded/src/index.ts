export type { Binaries } from './binaries';
export { ClusterError } from './cluster-error';
export { startCluster } from './cluster';
export type { ClusterOptions, EmbeddedCluster } from './cluster';
export { runningProcess } from './running-process';
export type { RunningProcess } from './running-process';
