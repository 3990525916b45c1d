export * from './attestations';
export * from './branch-name';
export * from './commit-id';
export * from './cursor';
export * from './defined';
export * from './dsse';
export * from './environment-label';
export * from './errors';
export * from './ids';
export * from './ingress-address';
export * from './instant';
export * from './merge-recipe';
export * from './paging';
export * from './permission-pattern';
export * from './route-commands';
export {
  API_PREFIX,
  EDGE_TIMEOUT_SECONDS,
  type RouteEntry,
  type ServiceName,
  SERVICES,
  WAIT_SECONDS_MAX,
  type WatchedKind,
} from './route-entry';
export * from './routes';
export * from './text';
export * from './version';
export * from './words';
