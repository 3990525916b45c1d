export type { Binaries } from './binaries';
export type { ClusterOptions, EmbeddedCluster } from './cluster';
export { startCluster } from './cluster';
export { ClusterError } from './cluster-error';
export { keepLastLog } from './server-log';
